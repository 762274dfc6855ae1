#include "lapwing/plan/finalist.hpp"

#include <algorithm>
#include <cmath>

namespace lapwing {

int widest(const Messages& messages, const FinalLimits& limits) {
    const auto count = static_cast<double>(messages.count());
    const double usual = static_cast<double>(messages.volume()) / count;
    const double beginning =
        std::isinf(limits.in_flight) ? limits.in_flight : std::max(2.0, count / 16);
    const double most =
        std::min({count * static_cast<double>(limits.peers), static_cast<double>(limits.deepest),
                  std::ceil(limits.in_flight / usual), beginning});
    return static_cast<int>(std::max(1.0, most));
}

Finalist within(Finalist finalist, const FinalLimits& limits) {
    const bool one = finalist.messages.count() == 1;
    finalist.window = std::clamp(finalist.window, 1, widest(finalist.messages, limits));
    if (finalist.in_bursts && !limits.bursts && !one)
        finalist.window = std::max(2, finalist.window);
    finalist.in_bursts = finalist.in_bursts && finalist.window > 1;
    if (finalist.in_bursts) finalist.window -= finalist.window % 2;
    if (limits.peers > 1 && one) finalist.order = PeerOrder::contiguous;
    return finalist;
}

}  // namespace lapwing

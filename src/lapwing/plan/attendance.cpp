#include "lapwing/plan/attendance.hpp"

#include <algorithm>
#include <cstddef>

namespace lapwing {

Attendance attendance(const Progress& progress, const model::Stream& x) {
    constexpr double advancing = 0.98;  // what is nearer to all than this is all
    const auto all_advance = std::all_of(progress.unattended.begin(), progress.unattended.end(),
                                         [](double share) { return share >= advancing; });
    Attendance best;
    best.reason = progress.sizes.empty() ? "whether messages advance alone was not measured"
                                         : "messages advance while nobody calls";
    if (all_advance) return best;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < progress.sizes.size(); ++i) {
        const auto size = static_cast<double>(progress.sizes[i]);
        // Polling has a price of its own; it must be worth it.
        const bool poll = progress.polled[i] > progress.unattended[i] + 0.1;
        const double hidden = poll ? progress.polled[i] : progress.unattended[i];
        const double stalled = hidden < advancing ? (1 - hidden) * x.G : 0;
        const double cost = x.o_r(size) / size + stalled;
        if (cost < least) {
            least = cost;
            best = {size, stalled, progress.window[i], poll ? progress.poll_interval : 0,
                    poll ? "messages stall while nobody calls" : "it would hide little more"};
        }
    }
    return best;
}

}  // namespace lapwing

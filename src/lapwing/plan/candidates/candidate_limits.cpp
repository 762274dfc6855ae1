#include "lapwing/plan/candidates/candidate_limits.hpp"

#include <algorithm>
#include <cmath>

namespace lapwing {

int max_window(const Messages& messages, const CandidateLimits& limits) {
    const auto count = static_cast<double>(messages.count());
    const double usual = static_cast<double>(messages.volume()) / count;
    const double at_start =
        std::isinf(limits.in_flight) ? limits.in_flight : std::max(2.0, count / 16);
    const double most = std::min({count * static_cast<double>(limits.peers),
                                  static_cast<double>(limits.max_in_flight),
                                  std::ceil(limits.in_flight / usual), at_start});
    return static_cast<int>(std::max(1.0, most));
}

Candidate clamped(Candidate candidate, const CandidateLimits& limits) {
    const bool one = candidate.messages.count() == 1;
    int& window = candidate.window;
    window = std::clamp(window, 1, max_window(candidate.messages, limits));
    if (candidate.burst > 0 && !limits.bursts && !one) window = std::max(2, window);
    const bool in_bursts = candidate.burst > 0 && window > 1;
    if (in_bursts) window -= window % 2;
    candidate.burst = in_bursts ? window / 2 : 0;
    if (limits.peers > 1 && one) candidate.order = PeerOrder::contiguous;
    return candidate;
}

}  // namespace lapwing

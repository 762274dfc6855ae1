#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "lapwing/plan/candidate.hpp"

namespace lapwing {

/// What no candidate may exceed.
struct CandidateLimits {
    std::uint64_t peers = 1;    ///< that share the window
    std::uint64_t largest = 0;  ///< of a message, bytes, unless it is all there is
    int max_in_flight = 1;      ///< messages
    /// Bytes in flight that were of use in a long exchange. What is initiated before the first
    /// computation hides nothing: of a short exchange it is no more than a sixteenth, or two
    /// messages.
    double in_flight = std::numeric_limits<double>::infinity();
    bool any_size = true;  ///< not only measured sizes, and their halves and doubles
    bool bursts = false;   ///< whether to initiate in bursts is a choice
};

/// The widest window for these messages.
[[nodiscard]] inline int max_window(const Messages& messages, const CandidateLimits& limits) {
    const auto count = static_cast<double>(messages.count());
    const double usual = static_cast<double>(messages.volume()) / count;
    const double at_start =
        std::isinf(limits.in_flight) ? limits.in_flight : std::max(2.0, count / 16);
    const double most = std::min({count * static_cast<double>(limits.peers),
                                  static_cast<double>(limits.max_in_flight),
                                  std::ceil(limits.in_flight / usual), at_start});
    return static_cast<int>(std::max(1.0, most));
}

/// The candidate with its window within the limits. A burst (of any length) becomes half of the
/// window, which is then even. Where bursts are no choice, the window is at least 2. One message to
/// each peer has no order.
[[nodiscard]] inline Candidate clamped(Candidate candidate, const CandidateLimits& limits) {
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

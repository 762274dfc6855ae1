#pragma once

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
[[nodiscard]] int max_window(const Messages& messages, const CandidateLimits& limits);

/// The candidate with its window within the limits. A burst (of any length) becomes half of the
/// window, which is then even, and at least 2 where bursts are no choice; one message to each peer
/// has no order.
[[nodiscard]] Candidate clamped(Candidate candidate, const CandidateLimits& limits);

}  // namespace lapwing

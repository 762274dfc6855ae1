#pragma once

#include "lapwing/compute/charge.hpp"

namespace lapwing {

/// Seconds by which `rank` starts after rank 0 in a simulation: simulated ranks then start in the
/// order of their numbers and not in one that rounding decides. It is less than the simulator tells
/// apart and more than it rounds by. 0 in real time.
[[nodiscard]] constexpr double rank_skew(int rank) {
    constexpr double apart = 1e-12;
    return simulated_time ? apart * rank : 0;
}

}  // namespace lapwing

#pragma once

#include "lapwing/compute/charge.hpp"

namespace lapwing {

/// Seconds by which a rank of a simulation is to start behind rank 0, so that ranks do so in the
/// order of their numbers and not of what rounding leaves: less than the simulator tells apart,
/// more than it rounds by. In real time 0.
[[nodiscard]] constexpr double rank_skew(int rank) {
    constexpr double apart = 1e-12;
    return simulated_time ? apart * rank : 0;
}

}  // namespace lapwing

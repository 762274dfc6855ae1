#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>

namespace lapwing::simulate {

/// Simulated time in whole ticks of the machine that is simulated: nanoseconds on a LogGOPS
/// machine, picoseconds on a measured one. Whole numbers, so that the same schedule ends at the
/// same tick everywhere.
using Time = std::int64_t;

/// No run is longer, and no part of one an eighth of it: what comes on top has room.
inline constexpr Time longest_time = std::numeric_limits<Time>::max() / 2;
inline constexpr Time longest_part = longest_time / 8;

[[noreturn]] inline void too_long() {
    throw std::invalid_argument("this takes longer than simulated time can tell");
}

using Rank = std::uint32_t;

}  // namespace lapwing::simulate

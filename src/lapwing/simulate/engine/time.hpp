#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>

namespace lapwing::simulate {

/// Simulated time in ticks: nanoseconds on a LogGOPS machine, picoseconds on a measured one. Whole
/// numbers, so that a schedule ends at the same tick on every computer.
using Time = std::int64_t;

/// The longest simulation, and the longest part of one (a message, a calculation). Sums of a few
/// of them do not overflow.
inline constexpr Time longest_time = std::numeric_limits<Time>::max() / 2;
inline constexpr Time longest_part = longest_time / 8;

/// Throws `std::invalid_argument`.
[[noreturn]] inline void too_long() {
    throw std::invalid_argument("this takes longer than simulated time can tell");
}

using Rank = std::uint32_t;

}  // namespace lapwing::simulate

#pragma once

#include <cstdint>

namespace lapwing::simulate {

/// Simulated time in whole ticks of the machine that is simulated: nanoseconds on a LogGOPS
/// machine, picoseconds on a measured one. Whole numbers, so that the same schedule ends at the
/// same tick everywhere.
using Time = std::int64_t;

using Rank = std::uint32_t;

}  // namespace lapwing::simulate

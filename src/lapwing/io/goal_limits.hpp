#pragma once

#include <cstdint>
#include <limits>

namespace lapwing {

// What a GOAL schedule may hold at most, in either format.

inline constexpr std::uint64_t most_ranks = std::numeric_limits<std::uint32_t>::max() - 1;
inline constexpr std::uint64_t most_operations = std::numeric_limits<std::uint32_t>::max() - 1;
// Sums of larger sizes or times could exceed 64 bits.
inline constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40U;
inline constexpr std::uint64_t most_nanoseconds = std::uint64_t{1} << 48U;

inline constexpr const char* too_many_pairs =
    "more than 256 different pairs of a processor and an interface";

}  // namespace lapwing

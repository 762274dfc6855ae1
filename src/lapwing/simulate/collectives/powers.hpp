#pragma once

#include <bit>
#include <cstdint>

namespace lapwing::simulate {

/// The smallest k with 2^k >= n.
inline std::uint32_t ceil_log2(std::uint32_t n) {
    return n < 2 ? 0 : static_cast<std::uint32_t>(std::bit_width(n - 1));
}

/// The largest k with 2^k <= n; 0 for n = 0.
inline std::uint32_t floor_log2(std::uint32_t n) {
    return n < 2 ? 0 : static_cast<std::uint32_t>(std::bit_width(n)) - 1;
}

}  // namespace lapwing::simulate

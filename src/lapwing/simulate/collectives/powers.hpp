#pragma once

#include <bit>
#include <cstdint>

namespace lapwing::simulate {

/// The least k with 2^k >= n.
inline std::uint32_t ceil_log2(std::uint32_t n) {
    return n < 2 ? 0 : static_cast<std::uint32_t>(std::bit_width(n - 1));
}

/// The greatest k with 2^k <= n; 0 of 0.
inline std::uint32_t floor_log2(std::uint32_t n) {
    return n < 2 ? 0 : static_cast<std::uint32_t>(std::bit_width(n)) - 1;
}

}  // namespace lapwing::simulate

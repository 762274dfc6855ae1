#pragma once

#include <cmath>
#include <cstdint>

namespace lapwing {

/// Rows of the most square grid of `ranks` ranks, in which each has four neighbours if borders are
/// joined: at least 3, and as many columns or more; 0 where there is none.
[[nodiscard]] inline std::uint64_t grid_rows(std::uint64_t ranks) {
    auto rows = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(ranks)));
    while (rows >= 3 && ranks % rows != 0) --rows;
    return rows >= 3 ? rows : 0;
}

}  // namespace lapwing

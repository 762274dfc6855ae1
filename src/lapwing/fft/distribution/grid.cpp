#include "lapwing/fft/distribution/grid.hpp"

#include <algorithm>

#include "lapwing/fft/distribution/block_distribution.hpp"

namespace lapwing::fft {

std::size_t Grid::capacity(const Size& size) const {
    const auto most = [](std::size_t length, int parts) {
        return BlockDistribution(length, parts).most();
    };
    return std::max({most(size[0], rows) * most(size[1], columns) * size[2],
                     most(size[0], rows) * size[1] * most(size[2], columns),
                     most(size[1], rows) * size[0] * most(size[2], columns)});
}

Grid choose_grid(const Size& size, int ranks) {
    Grid best{ranks, 1};
    for (int columns = 2; columns <= ranks; ++columns) {
        if (ranks % columns != 0) continue;
        const Grid grid{ranks / columns, columns};
        const std::size_t has = grid.capacity(size);
        const std::size_t least = best.capacity(size);
        const bool fewer = grid.rows + grid.columns < best.rows + best.columns;
        if (has < least || (has == least && fewer)) best = grid;
    }
    return best;
}

Grid grid_of(const Options& options, const Size& size, int ranks) {
    const bool planes =
        options.decomposition == Decomposition::planes ||
        (options.decomposition == Decomposition::automatic && options.grid[0] == 0 &&
         static_cast<std::size_t>(ranks) <= std::min(size[0], size[1]));
    if (planes) return {ranks, 1};
    if (options.grid[0] == 0 && options.grid[1] == 0) return choose_grid(size, ranks);
    return {options.grid[0], options.grid[1]};
}

}  // namespace lapwing::fft

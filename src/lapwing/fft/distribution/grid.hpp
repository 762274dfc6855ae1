#pragma once

#include <algorithm>
#include <cstddef>

#include "lapwing/fft/distribution/block_distribution.hpp"
#include "lapwing/fft/options.hpp"

namespace lapwing::fft {

/// A row or a column of the grid: the ranks among which a transpose exchanges what they have.
/// Member m is rank `first + m * step`.
struct Group {
    int first = 0;
    int step = 1;
    bool in_row = false;
    [[nodiscard]] int rank(int member) const { return first + member * step; }
};

/// How ranks stand in a grid, row by row: rank `i * columns + j` is in row `i` and column `j`. The
/// first two axes are dealt to rows, the last two to columns, never the same axis to both at a
/// time.
struct Grid {
    int rows = 1;
    int columns = 1;

    [[nodiscard]] int ranks() const { return rows * columns; }
    [[nodiscard]] int row(int rank) const { return rank / columns; }
    [[nodiscard]] int column(int rank) const { return rank % columns; }

    /// Those in the same row as `rank`, and those in the same column.
    [[nodiscard]] Group row_of(int rank) const { return {row(rank) * columns, 1, true}; }
    [[nodiscard]] Group column_of(int rank) const { return {column(rank), columns, false}; }

    /// Elements that the arrays of any rank must have room for on the way of a transform, if none
    /// of its steps is to leave its bounds. `size`: of what is dealt.
    [[nodiscard]] std::size_t capacity(const Size& size) const {
        const auto most = [](std::size_t length, int parts) {
            return BlockDistribution(length, parts).most();
        };
        return std::max({most(size[0], rows) * most(size[1], columns) * size[2],
                         most(size[0], rows) * size[1] * most(size[2], columns),
                         most(size[1], rows) * size[0] * most(size[2], columns)});
    }
};

/// The grid of `ranks` in which the rank with most has least; of several, the one in which a rank
/// sends to the fewest others, with more rows than columns. `size`: of what is dealt.
[[nodiscard]] inline Grid choose_grid(const Size& size, int ranks) {
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

/// The grid that the options ask for, one column of all ranks where that is planes.
[[nodiscard]] inline Grid grid_of(const Options& options, const Size& size, int ranks) {
    const bool planes =
        options.decomposition == Decomposition::planes ||
        (options.decomposition == Decomposition::automatic && options.grid[0] == 0 &&
         static_cast<std::size_t>(ranks) <= std::min(size[0], size[1]));
    if (planes) return {ranks, 1};
    if (options.grid[0] == 0 && options.grid[1] == 0) return choose_grid(size, ranks);
    return {options.grid[0], options.grid[1]};
}

}  // namespace lapwing::fft

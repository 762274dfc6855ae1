#pragma once

#include <cstddef>

#include "lapwing/fft/options.hpp"

namespace lapwing::fft {

/// The ranks that take part in one transpose: a row or a column of the grid. Member m is rank
/// `first + m * step`.
struct Group {
    int first = 0;
    int step = 1;
    bool in_row = false;
    [[nodiscard]] int rank(int member) const { return first + member * step; }
};

/// A grid of ranks, numbered row by row: rank `i * columns + j` is in row `i` and column `j`. The
/// first two axes of an array are distributed over the rows, the last two over the columns, and no
/// axis over both at the same time.
struct Grid {
    int rows = 1;
    int columns = 1;

    [[nodiscard]] int ranks() const { return rows * columns; }
    [[nodiscard]] int row(int rank) const { return rank / columns; }
    [[nodiscard]] int column(int rank) const { return rank % columns; }

    /// The ranks in the row of `rank`, and those in its column.
    [[nodiscard]] Group row_of(int rank) const { return {row(rank) * columns, 1, true}; }
    [[nodiscard]] Group column_of(int rank) const { return {column(rank), columns, false}; }

    /// Elements that each array of any rank must have room for before, during and after a
    /// transform. `size`: elements of the distributed array along each axis.
    [[nodiscard]] std::size_t capacity(const Size& size) const;
};

/// The grid of `ranks` ranks with the smallest `capacity`. Of several, the one in which a rank
/// sends to the fewest others, with more rows than columns. `size`: of the distributed array.
[[nodiscard]] Grid choose_grid(const Size& size, int ranks);

/// The grid that the options ask for. For a decomposition in planes it is one column of all ranks.
[[nodiscard]] Grid grid_of(const Options& options, const Size& size, int ranks);

}  // namespace lapwing::fft

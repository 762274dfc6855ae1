#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "problem.hpp"
#include "random_matrix.hpp"
#include "range.hpp"
#include "rank_grid.hpp"

namespace lapwing::nas::cg {

/// Work with the matrix, counted in nonzeros that are multiplied row by row (see `kernels`).
[[nodiscard]] constexpr std::size_t work_of_rows(std::size_t nonzeros, std::size_t rows) {
    return nonzeros + 4 * rows;
}
/// The same column by column.
[[nodiscard]] constexpr std::size_t work_of_columns(std::size_t nonzeros, std::size_t columns) {
    return (nonzeros + 4 * columns) * 7 / 5;
}

/// A rank's block of the matrix. Its first columns are stored column by column, in groups that are
/// multiplied one after the other: few columns of many rows each. The others are stored row by row:
/// their rows are complete one after the other.
class Block {
  public:
    /// `groups`: columns of each group, in the order of `RankGrid::column_slices`, from the first.
    Block(const Problem& problem, const RankGrid& grid, const std::vector<Range>& groups);

    [[nodiscard]] std::size_t work_of_group(std::size_t group) const {
        const Range columns{0, groups_[group].lines()};
        return work_of_columns(groups_[group].nonzeros(columns), columns.length());
    }
    [[nodiscard]] std::size_t work(Range rows) const {
        return work_of_rows(rows_.nonzeros(rows), rows.length());
    }
    /// Adds the products of a group with `vector`, all columns of the block, to the sums of all
    /// rows of the block.
    void add_group(std::size_t group, const double* vector, double* sums) const;
    /// Adds those of the other columns to the sums of `rows`.
    void add_rows(Range rows, const double* vector, double* sums) const;

  private:
    /// Rows or columns one after the other.
    class Lines {
      public:
        /// Makes room for so many.
        void reserve(std::size_t lines, double nonzeros);
        /// Appends a line.
        void append(std::span<const RandomMatrix::Entry> entries);
        [[nodiscard]] std::size_t lines() const { return begins_.size() - 1; }
        [[nodiscard]] std::size_t nonzeros(Range lines) const {
            return begins_[lines.end] - begins_[lines.begin];
        }
        [[nodiscard]] std::size_t length(std::size_t line) const {
            return begins_[line + 1] - begins_[line];
        }
        [[nodiscard]] const double* values(std::size_t line) const {
            return values_.data() + begins_[line];
        }
        /// The place of each value in its line.
        [[nodiscard]] const std::uint32_t* places(std::size_t line) const {
            return places_.data() + begins_[line];
        }

      private:
        std::vector<std::size_t> begins_{0};
        std::vector<std::uint32_t> places_;
        std::vector<double> values_;
    };

    std::vector<Lines> groups_;
    std::vector<std::size_t> firsts_;  ///< column of each group
    Lines rows_;
};

}  // namespace lapwing::nas::cg

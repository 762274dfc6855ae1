#pragma once

#include <bit>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "problem.hpp"
#include "range.hpp"

namespace lapwing::nas::cg {

/// A rank's slice of a vector, and its place among other slices one behind the other.
struct Slice {
    int rank = 0;
    Range place;
};

/// The ranks in a grid of rows and columns, row by row, as many columns as rows or twice as many.
/// All vectors are cut in as many slices as there are ranks; each rank has one of them. A rank has
/// a block of the matrix. The rows of the block are the slices of its grid row, the columns the
/// slices of its grid column. Its own slice is in both.
class RankGrid {
  public:
    /// Throws `std::invalid_argument` unless `ranks` is a power of two, with a row of the matrix
    /// for each rank.
    RankGrid(const Problem& problem, int rank, int ranks)
        : elements_(problem.rows), rank_(rank), ranks_(ranks) {
        if (!std::has_single_bit(static_cast<unsigned>(ranks)))
            throw std::invalid_argument("cg: needs a power of two of ranks, not " +
                                        std::to_string(ranks));
        if (static_cast<std::size_t>(ranks) > elements_)
            throw std::invalid_argument("cg: more ranks than rows");
        while (columns_ * columns_ < ranks) columns_ *= 2;
    }

    [[nodiscard]] int ranks() const { return ranks_; }
    [[nodiscard]] int rows() const { return ranks_ / columns_; }
    [[nodiscard]] int columns() const { return columns_; }
    /// The elements of a rank's slice.
    [[nodiscard]] Range elements(int rank) const {
        return Range{0, elements_}.part(static_cast<std::size_t>(rank),
                                        static_cast<std::size_t>(ranks_));
    }
    [[nodiscard]] Range own() const { return elements(rank_); }

    /// The slices of this rank's grid row, its own last: the rows of its block. The others stand in
    /// the order in which their sums are sent: no two ranks send to the same one first.
    [[nodiscard]] std::vector<Slice> row_slices() const {
        std::vector<int> ranks;
        for (int distance = 1; distance <= columns_; ++distance) ranks.push_back(right(distance));
        return one_behind_the_other(ranks);
    }
    /// The slices of its grid column, its own first: the columns of its block. The others stand in
    /// the order in which they arrive if each rank sends to the next ones below it.
    [[nodiscard]] std::vector<Slice> column_slices() const {
        std::vector<int> ranks;
        for (int distance = 0; distance < rows(); ++distance) ranks.push_back(below(-distance));
        return one_behind_the_other(ranks);
    }
    /// The rank that is so many rows below this one; above if negative. The grid is closed.
    [[nodiscard]] int below(int distance) const {
        return (rank_ / columns_ + distance + rows()) % rows() * columns_ + rank_ % columns_;
    }
    /// The rank that is so many columns to the right; to the left if negative.
    [[nodiscard]] int right(int distance) const {
        return rank_ / columns_ * columns_ + (rank_ % columns_ + distance + columns_) % columns_;
    }

  private:
    [[nodiscard]] std::vector<Slice> one_behind_the_other(const std::vector<int>& ranks) const {
        std::vector<Slice> slices;
        std::size_t end = 0;
        for (const int rank : ranks) {
            const std::size_t begin = end;
            end += elements(rank).length();
            slices.push_back({rank, {begin, end}});
        }
        return slices;
    }

    std::size_t elements_;
    int rank_;
    int ranks_;
    int columns_ = 1;
};

}  // namespace lapwing::nas::cg

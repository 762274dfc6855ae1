#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "box.hpp"
#include "problem.hpp"
#include "rank_grid.hpp"

namespace lapwing::nas::mg {

/// Which levels of the grid are distributed. The coarsest have too few points for that: every rank
/// has them whole, and computes what all the others compute.
class Levels {
  public:
    /// `agglomerate`: side of the largest level that ranks have whole, points. Levels of less than
    /// two points a rank along some axis are whole in any case. Throws `std::invalid_argument` if
    /// the finest level had to be.
    Levels(const Problem& problem, const RankGrid& grid, std::size_t agglomerate)
        : grid_(grid),
          largest_whole_(grid.longest() == 1
                             ? problem.side
                             : std::max(agglomerate, static_cast<std::size_t>(grid.longest()))) {
        for (std::size_t side = 2; side <= problem.side; side *= 2) sides_.push_back(side);
        if (grid.longest() > 1 && largest_whole_ >= problem.side)
            throw std::invalid_argument("NAS MG: a grid of " + std::to_string(problem.side) +
                                        " points a side is not to be "
                                        "agglomerated as a whole, nor distributed over " +
                                        std::to_string(grid.longest()) + " ranks along an axis");
    }

    [[nodiscard]] std::size_t count() const { return sides_.size(); }
    [[nodiscard]] bool whole(std::size_t level) const { return sides_[level] <= largest_whole_; }
    /// The ranks that share a level.
    [[nodiscard]] RankGrid grid(std::size_t level) const {
        return whole(level) ? RankGrid() : grid_;
    }
    /// A rank's points of a level.
    [[nodiscard]] Extent extent(std::size_t level) const { return part(level, grid(level)); }
    /// A rank's points of a level if that is distributed.
    [[nodiscard]] Extent distributed(std::size_t level) const { return part(level, grid_); }

  private:
    [[nodiscard]] Extent part(std::size_t level, const RankGrid& grid) const {
        Extent extent;
        for (std::size_t axis = z; axis < axes; ++axis)
            extent.points[axis] = sides_[level] / static_cast<std::size_t>(grid.ranks[axis]);
        return extent;
    }

    RankGrid grid_;
    std::size_t largest_whole_;
    std::vector<std::size_t> sides_;  ///< coarsest first
};

}  // namespace lapwing::nas::mg

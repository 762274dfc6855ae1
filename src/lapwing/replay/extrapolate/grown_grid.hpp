#pragma once

#include <cstdint>

#include "lapwing/replay/extrapolate/rank_grid.hpp"

namespace lapwing::replay {

/// How far messages go at most in each dimension of a grid. Ranks closer than that to an end of a
/// dimension that does not wrap are border ranks. Each distance from the end is a kind of its own.
using Reach = Position;

/// The rank that stands for all ranks of a grid that send alike. In each dimension its position is
/// the first without a border, or the rank's own if that is at the border.
[[nodiscard]] std::uint64_t representative(const RankGrid& grid, const Reach& reach,
                                           std::uint64_t rank);

/// A grid of recorded ranks, and a larger one of the same kind. There each rank does the same as a
/// recorded one at the same distance from the ends.
class GrownGrid {
  public:
    /// `ranks`: a multiple of those of `recorded`, whose dimensions become as equally long as they
    /// can. The ratio of the two numbers has prime factors. Each of them, the largest first, goes
    /// to the dimension that is the shortest then.
    GrownGrid(const RankGrid& recorded, const Reach& reach, std::uint64_t ranks);

    [[nodiscard]] const RankGrid& recorded() const { return recorded_; }
    [[nodiscard]] const RankGrid& grown() const { return grown_; }
    /// The recorded rank whose records a rank of the larger grid plays.
    [[nodiscard]] std::uint64_t model(std::uint64_t rank) const;
    /// The rank that is to `rank` as `peer` is to its model.
    [[nodiscard]] std::uint64_t partner(std::uint64_t rank, std::uint64_t peer) const;

  private:
    RankGrid recorded_;
    Reach reach_;
    RankGrid grown_;
};

}  // namespace lapwing::replay

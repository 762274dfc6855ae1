#pragma once

#include <cstdint>

#include "lapwing/replay/extrapolate/rank_grid.hpp"

namespace lapwing::replay {

/// How far messages go at most in each dimension of a grid: ranks closer than that to an end of a
/// dimension that does not wrap are border ranks, each distance from the end a kind of its own.
using Reach = Position;

/// The rank that stands for all of a grid that send alike: in each dimension the first that is no
/// border rank, or the rank's own position if it is one.
[[nodiscard]] std::uint64_t representative(const RankGrid& grid, const Reach& reach,
                                           std::uint64_t rank);

/// A grid of recorded ranks, and a larger one of the same kind, in which each rank does what a
/// recorded one at the same distance from the ends did.
class GrownGrid {
  public:
    /// `ranks`: a multiple of those of `recorded`, whose dimensions become as equally long as they
    /// can: the prime factors of how often there are more, the largest first, go each to what is
    /// the shortest dimension then.
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

#pragma once

#include <algorithm>
#include <bit>

#include "lapwing/simulate/collectives/powers.hpp"
#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::simulate {

/// The binomial tree over ranks 0 to `ranks - 1`, as MPICH has it: the parent is the rank without
/// its lowest bit, so every subtree is a run of ranks.
struct BinomialTree {
    Rank ranks;

    [[nodiscard]] static Rank parent(Rank rank) { return rank & (rank - 1); }
    /// The number of children; the `i`-th of them, the one with the largest subtree first.
    [[nodiscard]] std::uint32_t children(Rank rank) const {
        const Rank beyond = ranks - rank;  // children are at distances 1, 2, 4, … below this
        return std::min(levels(rank), ceil_log2(beyond));
    }
    [[nodiscard]] Rank child(Rank rank, std::uint32_t i) const {
        return rank + (Rank{1} << (children(rank) - 1 - i));
    }
    /// When its parent turns to `rank` if it takes the smallest subtree first: 0 for its last
    /// child.
    [[nodiscard]] static std::uint32_t turn(Rank rank) {
        return static_cast<std::uint32_t>(std::countr_zero(rank));
    }
    /// How many ranks are in the subtree under `rank`, itself included.
    [[nodiscard]] Rank subtree(Rank rank) const {
        return rank == 0 ? ranks : std::min(Rank{1} << levels(rank), ranks - rank);
    }

  private:
    [[nodiscard]] std::uint32_t levels(Rank rank) const {
        return rank == 0 ? ceil_log2(ranks) : turn(rank);
    }
};

}  // namespace lapwing::simulate

#pragma once

#include <algorithm>
#include <bit>

#include "lapwing/simulate/collectives/powers.hpp"
#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::simulate {

/// MPICH's binomial tree of ranks 0 to `ranks - 1`: the parent of a rank is its number without its
/// lowest bit, so the ranks of every subtree are consecutive.
struct BinomialTree {
    Rank ranks;

    [[nodiscard]] static Rank parent(Rank rank) { return rank & (rank - 1); }
    /// The number of children, and the `i`-th of them, by decreasing size of their subtrees.
    [[nodiscard]] std::uint32_t children(Rank rank) const {
        const Rank beyond = ranks - rank;  // children are at distances 1, 2, 4, … below this
        return std::min(levels(rank), ceil_log2(beyond));
    }
    [[nodiscard]] Rank child(Rank rank, std::uint32_t i) const {
        return rank + (Rank{1} << (children(rank) - 1 - i));
    }
    /// The position of `rank` among its parent's children, by increasing size of their subtrees.
    [[nodiscard]] static std::uint32_t turn(Rank rank) {
        return static_cast<std::uint32_t>(std::countr_zero(rank));
    }
    /// The number of ranks in the subtree of `rank`, itself included.
    [[nodiscard]] Rank subtree(Rank rank) const {
        return rank == 0 ? ranks : std::min(Rank{1} << levels(rank), ranks - rank);
    }

  private:
    [[nodiscard]] std::uint32_t levels(Rank rank) const {
        return rank == 0 ? ceil_log2(ranks) : turn(rank);
    }
};

}  // namespace lapwing::simulate

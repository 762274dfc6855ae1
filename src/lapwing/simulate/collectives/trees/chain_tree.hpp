#pragma once

#include <algorithm>
#include <cstdint>

#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::simulate {

/// Open MPI's chains: all ranks but the root, in order, in `chains` chains that begin at the root.
/// The first chains may be a rank longer.
class ChainTree {
  public:
    ChainTree(Rank ranks, std::uint32_t chains)
        : ranks_(ranks),
          chains_(std::min(chains, std::max<Rank>(ranks, 2) - 1)),
          length_((ranks - 1) / chains_),
          longer_((ranks - 1) % chains_) {}

    [[nodiscard]] static Rank root() { return 0; }
    [[nodiscard]] Rank parent(Rank rank) const { return is_head(rank) ? 0 : rank - 1; }
    [[nodiscard]] std::uint32_t children(Rank rank) const {
        if (rank == 0) return ranks_ < 2 ? 0 : chains_;
        return rank + 1 < ranks_ && !is_head(rank + 1) ? 1 : 0;
    }
    [[nodiscard]] Rank child(Rank rank, std::uint32_t i) const {
        return rank == 0 ? head(i) : rank + 1;
    }
    /// The position of `rank` among its parent's children.
    [[nodiscard]] std::uint32_t place(Rank rank) const { return is_head(rank) ? chain(rank) : 0; }

  private:
    [[nodiscard]] Rank head(std::uint32_t chain) const {
        return 1 + chain * length_ + std::min(chain, longer_);
    }
    [[nodiscard]] std::uint32_t chain(Rank rank) const {
        const Rank in_longer = longer_ * (length_ + 1);
        return rank - 1 < in_longer ? (rank - 1) / (length_ + 1)
                                    : longer_ + (rank - 1 - in_longer) / length_;
    }
    [[nodiscard]] bool is_head(Rank rank) const { return rank == head(chain(rank)); }

    Rank ranks_;
    std::uint32_t chains_;
    Rank length_;  ///< ranks of a chain
    Rank longer_;  ///< number of chains that have a rank more
};

}  // namespace lapwing::simulate

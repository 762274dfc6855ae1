#pragma once

#include "lapwing/simulate/collectives/bine/bine_butterfly.hpp"

namespace lapwing::simulate {

/// Bine partners, the nearest first, exchange all blocks that they have. These are consecutive,
/// cyclically, so that a message has one piece or two (`2_blocks` of De Sensi et al. 2025).
class AllgatherBineTwoBlocks final : public BineButterfly {
  public:
    /// `parts`: block i is rank i's.
    AllgatherBineTwoBlocks(Rank ranks, const Parts& parts) : BineButterfly(ranks, parts) {}

  protected:
    [[nodiscard]] std::uint32_t rounds() const override { return levels(); }
    [[nodiscard]] Rank partner(Rank core, std::uint32_t round) const override {
        return bine().partner(core, round);
    }
    [[nodiscard]] Span exchanged(Rank core, std::uint32_t round) const override {
        const Rank first = bine().first_near(core, round);
        return {cores().first_rank(first), cores().ranks_of(first, Rank{1} << round)};
    }
    [[nodiscard]] Span handed_over(Rank rank) const override { return {rank, 1}; }
    [[nodiscard]] Span handed_back(Rank) const override { return {0, parts().count()}; }
};

}  // namespace lapwing::simulate

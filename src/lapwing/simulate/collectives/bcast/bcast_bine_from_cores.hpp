#pragma once

#include "lapwing/simulate/collectives/bine/bine_halves.hpp"

namespace lapwing::simulate {

/// The second half of a broadcast: all ranks are given the blocks of all cores.
class BcastBineFromCores final : public BineHalves {
  public:
    /// `parts`: a block for each core.
    BcastBineFromCores(Rank ranks, const Parts& parts)
        : BineHalves(ranks, parts, CoreOf::even, IdleRanks::get_back) {}

  protected:
    [[nodiscard]] std::uint32_t rounds() const override { return levels(); }
    [[nodiscard]] Rank partner(Rank core, std::uint32_t round) const override {
        return bine().partner(core, levels() - 1 - round);
    }
    [[nodiscard]] Span exchanged(Rank core, std::uint32_t round) const override {
        return gathered(core, levels() - 1 - round);
    }
    [[nodiscard]] Span handed_over(Rank) const override { return {}; }
    [[nodiscard]] Span handed_back(Rank) const override { return {0, parts().count()}; }
};

}  // namespace lapwing::simulate

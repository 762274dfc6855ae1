#pragma once

#include "lapwing/simulate/collectives/bine/bine_halves.hpp"

namespace lapwing::simulate {

/// The first half of a reduction: each core ends with the sum of its block. Even ranks are cores,
/// because the root is one.
class ReduceBineToCores final : public BineHalves {
  public:
    /// `parts`: the data of a rank, a block for each core.
    ReduceBineToCores(Rank ranks, const Parts& parts)
        : BineHalves(ranks, parts, CoreOf::even, IdleRanks::hand_over) {}

  protected:
    [[nodiscard]] std::uint32_t rounds() const override { return levels(); }
    [[nodiscard]] Rank partner(Rank core, std::uint32_t round) const override {
        return bine().partner(core, round);
    }
    [[nodiscard]] Span exchanged(Rank core, std::uint32_t round) const override {
        return reduced(core, round);
    }
    [[nodiscard]] Span handed_over(Rank) const override {
        return {0, parts().count(), Effect::combine};
    }
    [[nodiscard]] Span handed_back(Rank) const override { return {}; }
};

}  // namespace lapwing::simulate

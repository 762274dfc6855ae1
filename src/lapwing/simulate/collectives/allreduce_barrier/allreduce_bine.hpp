#pragma once

#include "lapwing/simulate/collectives/bine/bine_butterfly.hpp"

namespace lapwing::simulate {

/// Bine partners, the nearest first, exchange and combine their whole data (De Sensi et al. 2025).
class AllreduceBine final : public BineButterfly {
  public:
    /// `bytes`: the data of a rank.
    AllreduceBine(Rank ranks, std::uint64_t bytes) : BineButterfly(ranks, Parts::equal(bytes, 1)) {}

  protected:
    [[nodiscard]] std::uint32_t rounds() const override { return levels(); }
    [[nodiscard]] Rank partner(Rank core, std::uint32_t round) const override {
        return bine().partner(core, round);
    }
    [[nodiscard]] Span exchanged(Rank, std::uint32_t) const override {
        return {0, 1, Effect::combine};
    }
    [[nodiscard]] Span handed_over(Rank) const override { return {0, 1, Effect::combine}; }
    [[nodiscard]] Span handed_back(Rank) const override { return {0, 1, Effect::replace}; }
};

}  // namespace lapwing::simulate

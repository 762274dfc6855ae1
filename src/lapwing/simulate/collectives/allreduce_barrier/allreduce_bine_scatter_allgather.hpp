#pragma once

#include "lapwing/simulate/collectives/bine/bine_halves.hpp"

namespace lapwing::simulate {

/// Reduce-scatter, then allgather, over the butterfly: partners are near when there is most to send
/// (De Sensi et al. 2025).
class AllreduceBineScatterAllgather final : public BineHalves {
  public:
    /// `bytes`: the data of a rank.
    AllreduceBineScatterAllgather(Rank ranks, std::uint64_t bytes)
        : BineHalves(ranks, Parts::split(bytes, Rank{1} << floor_log2(ranks))) {}

  protected:
    [[nodiscard]] std::uint32_t rounds() const override { return 2 * levels(); }
    [[nodiscard]] Rank partner(Rank core, std::uint32_t round) const override {
        return bine().partner(core, step_of(round));
    }
    [[nodiscard]] Span exchanged(Rank core, std::uint32_t round) const override {
        return round < levels() ? reduced(core, round) : gathered(core, step_of(round));
    }
    [[nodiscard]] Span handed_over(Rank) const override {
        return {0, parts().count(), Effect::combine};
    }
    [[nodiscard]] Span handed_back(Rank) const override {
        return {0, parts().count(), Effect::replace};
    }

  private:
    [[nodiscard]] std::uint32_t step_of(std::uint32_t round) const {
        return round < levels() ? round : 2 * levels() - 1 - round;
    }
};

}  // namespace lapwing::simulate

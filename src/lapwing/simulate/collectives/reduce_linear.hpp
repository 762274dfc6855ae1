#pragma once

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// Every rank sends to the root.
class ReduceLinear final : public Collective {
  public:
    /// `bytes`: the data of a rank.
    ReduceLinear(Rank ranks, std::uint64_t bytes, Effect effect = Effect::combine)
        : Collective(ranks, Parts::equal(bytes, 1)), effect_(effect) {}

    [[nodiscard]] std::uint32_t steps(Rank) const override { return 1; }
    [[nodiscard]] Step step(Rank rank, std::uint32_t) const override {
        return rank == 0 ? Step{0, ranks() - 1} : Step{1, 0};
    }
    [[nodiscard]] Transfer sent(Rank, std::uint32_t, std::uint32_t) const override {
        return {0, 0, 0, 1, effect_};
    }
    [[nodiscard]] Transfer received(Rank, std::uint32_t, std::uint32_t index) const override {
        return {index + 1, 0, 0, 1, effect_};
    }

  private:
    Effect effect_;
};

}  // namespace lapwing::simulate

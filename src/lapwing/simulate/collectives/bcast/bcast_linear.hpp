#pragma once

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// The root sends to every rank.
class BcastLinear final : public Collective {
  public:
    /// `bytes`: of the whole message.
    BcastLinear(Rank ranks, std::uint64_t bytes, Effect effect = Effect::replace)
        : Collective(ranks, Parts::equal(bytes, 1)), effect_(effect) {}

    [[nodiscard]] std::uint32_t steps(Rank) const override { return 1; }
    [[nodiscard]] Step step(Rank rank, std::uint32_t) const override {
        return rank == 0 ? Step{ranks() - 1, 0} : Step{0, 1};
    }
    [[nodiscard]] Transfer sent(Rank, std::uint32_t, std::uint32_t index) const override {
        return {index + 1, 0, 0, 1, effect_};
    }
    [[nodiscard]] Transfer received(Rank, std::uint32_t, std::uint32_t) const override {
        return {0, 0, 0, 1, effect_};
    }

  private:
    Effect effect_;
};

}  // namespace lapwing::simulate

#pragma once

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// Every rank sends to the root. The root combines one message after another, from the last rank
/// down, because combining has an order; signals (`Effect::learn`) it receives all at once.
class ReduceLinear final : public Collective {
  public:
    /// `bytes`: the data of a rank.
    ReduceLinear(Rank ranks, std::uint64_t bytes, Effect effect = Effect::combine)
        : Collective(ranks, Parts::equal(bytes, 1)), effect_(effect) {}

    [[nodiscard]] std::uint32_t steps(Rank rank) const override {
        return rank == 0 && in_turn() ? ranks() - 1 : 1;
    }
    [[nodiscard]] Step step(Rank rank, std::uint32_t) const override {
        if (rank > 0) return {1, 0};
        return {0, in_turn() ? 1 : ranks() - 1};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t, std::uint32_t) const override {
        return {0, in_turn() ? ranks() - 1 - rank : 0, 0, 1, effect_};
    }
    [[nodiscard]] Transfer received(Rank, std::uint32_t step, std::uint32_t index) const override {
        return {in_turn() ? ranks() - 1 - step : index + 1, 0, 0, 1, effect_};
    }

  private:
    [[nodiscard]] bool in_turn() const { return effect_ == Effect::combine; }

    Effect effect_;
};

}  // namespace lapwing::simulate

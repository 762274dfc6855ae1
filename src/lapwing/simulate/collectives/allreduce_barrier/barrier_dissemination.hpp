#pragma once

#include "lapwing/simulate/collectives/collective.hpp"
#include "lapwing/simulate/collectives/powers.hpp"

namespace lapwing::simulate {

/// Barrier by dissemination (Hensgen, Finkel, Manber 1988): in round k each rank signals the
/// rank 2^k after it.
class BarrierDissemination final : public Collective {
  public:
    /// `bytes`: the size of a message.
    BarrierDissemination(Rank ranks, std::uint64_t bytes)
        : Collective(ranks, Parts::equal(bytes, 1)), rounds_(ceil_log2(ranks)) {}

    [[nodiscard]] std::uint32_t steps(Rank) const override { return rounds_; }
    [[nodiscard]] Step step(Rank, std::uint32_t) const override { return {1, 1}; }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t) const override {
        return {after(rank, Rank{1} << step), step, 0, 1, Effect::learn};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step, std::uint32_t) const override {
        return {before(rank, Rank{1} << step), 0, 0, 1, Effect::learn};
    }

  private:
    std::uint32_t rounds_;
};

}  // namespace lapwing::simulate

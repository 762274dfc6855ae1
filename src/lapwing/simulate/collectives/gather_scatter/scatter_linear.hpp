#pragma once

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// The root sends each rank its block. Blocks may differ in size (scatterv).
class ScatterLinear final : public Collective {
  public:
    /// `parts`: block i is rank i's.
    ScatterLinear(Rank ranks, const Parts& parts) : Collective(ranks, parts) {}

    [[nodiscard]] std::uint32_t steps(Rank) const override { return 1; }
    [[nodiscard]] Step step(Rank rank, std::uint32_t) const override {
        return rank == 0 ? Step{ranks() - 1, 0} : Step{0, 1};
    }
    [[nodiscard]] Transfer sent(Rank, std::uint32_t, std::uint32_t index) const override {
        return {index + 1, 0, index + 1, 1};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t, std::uint32_t) const override {
        return {0, 0, rank, 1};
    }
};

}  // namespace lapwing::simulate

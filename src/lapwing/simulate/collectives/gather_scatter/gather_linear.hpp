#pragma once

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// Every rank sends its block to the root, which receives them one after another, by rank. Blocks
/// may differ in size (gatherv).
class GatherLinear final : public Collective {
  public:
    /// `parts`: block i is rank i's.
    GatherLinear(Rank ranks, const Parts& parts) : Collective(ranks, parts) {}

    [[nodiscard]] std::uint32_t steps(Rank rank) const override {
        return rank == 0 ? ranks() - 1 : 1;
    }
    [[nodiscard]] Step step(Rank rank, std::uint32_t) const override {
        return rank == 0 ? Step{0, 1} : Step{1, 0};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t, std::uint32_t) const override {
        return {0, rank - 1, rank, 1};
    }
    [[nodiscard]] Transfer received(Rank, std::uint32_t step, std::uint32_t) const override {
        return {step + 1, 0, step + 1, 1};
    }
};

}  // namespace lapwing::simulate

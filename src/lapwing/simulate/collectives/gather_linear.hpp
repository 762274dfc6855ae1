#pragma once

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// Every rank sends its block to the root; blocks may differ in size (gatherv).
class GatherLinear final : public Collective {
  public:
    /// `parts`: block i is rank i's.
    GatherLinear(Rank ranks, const Parts& parts) : Collective(ranks, parts) {}

    [[nodiscard]] std::uint32_t steps(Rank) const override { return 1; }
    [[nodiscard]] Step step(Rank rank, std::uint32_t) const override {
        return rank == 0 ? Step{0, ranks() - 1} : Step{1, 0};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t, std::uint32_t) const override {
        return {0, 0, rank, 1};
    }
    [[nodiscard]] Transfer received(Rank, std::uint32_t, std::uint32_t index) const override {
        return {index + 1, 0, index + 1, 1};
    }
};

}  // namespace lapwing::simulate

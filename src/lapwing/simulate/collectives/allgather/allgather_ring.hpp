#pragma once

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// Each rank passes on to the next the block that it received in the step before.
class AllgatherRing final : public Collective {
  public:
    /// `parts`: block i is rank i's.
    AllgatherRing(Rank ranks, const Parts& parts) : Collective(ranks, parts) {}

    [[nodiscard]] std::uint32_t steps(Rank) const override { return ranks() - 1; }
    [[nodiscard]] Step step(Rank, std::uint32_t) const override { return {1, 1}; }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t) const override {
        return {after(rank, 1), step, before(rank, step), 1};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step, std::uint32_t) const override {
        return {before(rank, 1), 0, before(rank, step + 1), 1};
    }
};

}  // namespace lapwing::simulate

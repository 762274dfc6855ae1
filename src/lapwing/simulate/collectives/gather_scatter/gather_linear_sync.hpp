#pragma once

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// The root asks one rank after another for its block, by an empty message, and waits for it (Open
/// MPI's synchronised linear gather).
class GatherLinearSync final : public Collective {
  public:
    /// `parts`: block i is rank i's.
    GatherLinearSync(Rank ranks, const Parts& parts) : Collective(ranks, parts) {}

    [[nodiscard]] std::uint32_t steps(Rank rank) const override {
        return rank == 0 ? ranks() - 1 : 2;
    }
    [[nodiscard]] Step step(Rank rank, std::uint32_t step) const override {
        if (rank == 0) return {1, 1};
        return step == 0 ? Step{0, 1} : Step{1, 0};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t) const override {
        if (rank == 0) return {step + 1, 0, 0, 0};
        return {0, rank - 1, rank, 1};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step, std::uint32_t) const override {
        if (rank == 0) return {step + 1, 0, step + 1, 1};
        return {0, 0, 0, 0};
    }
};

}  // namespace lapwing::simulate

#pragma once

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// In step k each rank sends to the rank k after it that rank's block of its own data.
class ReduceScatterPairwise final : public Collective {
  public:
    /// `parts`: the data of a rank; block i ends at rank i.
    ReduceScatterPairwise(Rank ranks, const Parts& parts) : Collective(ranks, parts) {}

    [[nodiscard]] std::uint32_t steps(Rank) const override { return ranks() - 1; }
    [[nodiscard]] Step step(Rank, std::uint32_t) const override { return {1, 1}; }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t) const override {
        const Rank to = after(rank, step + 1);
        return {to, step, to, 1, Effect::combine};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step, std::uint32_t) const override {
        return {before(rank, step + 1), 0, rank, 1, Effect::combine};
    }
};

}  // namespace lapwing::simulate

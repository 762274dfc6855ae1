#pragma once

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// Each block travels round the ring and is added to, and ends at its rank.
class ReduceScatterRing final : public Collective {
  public:
    /// `parts`: the data of a rank; block i ends at rank i.
    ReduceScatterRing(Rank ranks, const Parts& parts) : Collective(ranks, parts) {}

    [[nodiscard]] std::uint32_t steps(Rank) const override { return ranks() - 1; }
    [[nodiscard]] Step step(Rank, std::uint32_t) const override { return {1, 1}; }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t) const override {
        return {after(rank, 1), step, before(rank, step + 1), 1, Effect::combine};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step, std::uint32_t) const override {
        return {before(rank, 1), 0, before(before(rank, 1), step + 1), 1, Effect::combine};
    }
};

}  // namespace lapwing::simulate

#pragma once

#include <algorithm>

#include "lapwing/simulate/collectives/collective.hpp"
#include "lapwing/simulate/collectives/powers.hpp"

namespace lapwing::simulate {

/// In round k each rank sends the blocks it has, as far as the receiver lacks them, to the rank 2^k
/// before it (Bruck 1997).
class AllgatherBruck final : public Collective {
  public:
    /// `parts`: block i is rank i's.
    AllgatherBruck(Rank ranks, const Parts& parts)
        : Collective(ranks, parts), rounds_(ceil_log2(ranks)) {}

    [[nodiscard]] std::uint32_t steps(Rank) const override { return rounds_; }
    [[nodiscard]] Step step(Rank, std::uint32_t) const override { return {1, 1}; }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t) const override {
        return {before(rank, Rank{1} << step), step, rank, count(step)};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step, std::uint32_t) const override {
        const Rank from = after(rank, Rank{1} << step);
        return {from, 0, from, count(step)};
    }

  private:
    [[nodiscard]] Rank count(std::uint32_t step) const {
        const Rank distance = Rank{1} << step;
        return std::min(distance, ranks() - distance);
    }

    std::uint32_t rounds_;
};

}  // namespace lapwing::simulate

#pragma once

#include <bit>

#include "lapwing/simulate/collectives/collective.hpp"
#include "lapwing/simulate/collectives/powers.hpp"

namespace lapwing::simulate {

/// Sparbit (Loch, Koslovski, "Sparbit: a new logarithmic-cost and data locality-aware MPI Allgather
/// algorithm", 2021; Open MPI): rounds with distances that halve. In each a rank sends the blocks
/// of every second rank at this distance before it, one message a block, to the rank at the
/// distance after it. Where the receiver has the last of them already, that one is left out.
class AllgatherSparbit final : public Collective {
  public:
    /// `parts`: block i is rank i's.
    AllgatherSparbit(Rank ranks, const Parts& parts)
        : Collective(ranks, parts), rounds_(ceil_log2(ranks)) {}

    [[nodiscard]] std::uint32_t steps(Rank) const override { return rounds_; }
    [[nodiscard]] Step step(Rank, std::uint32_t step) const override {
        return {count(step), count(step), true};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t index) const override {
        const Rank away = distance(step);
        return {after(rank, away), step, before(rank, 2 * index * away), 1};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step,
                                    std::uint32_t index) const override {
        const Rank away = distance(step);
        return {before(rank, away), 0, before(rank, (2 * index + 1) * away), 1};
    }

  private:
    [[nodiscard]] Rank distance(std::uint32_t step) const {
        return Rank{1} << (rounds_ - 1 - step);
    }
    /// The blocks that a rank sends: as many odd multiples of the distance are below `ranks`.
    [[nodiscard]] Rank count(std::uint32_t step) const {
        return (ranks() - 1 + distance(step)) / (2 * distance(step));
    }

    std::uint32_t rounds_;
};

}  // namespace lapwing::simulate

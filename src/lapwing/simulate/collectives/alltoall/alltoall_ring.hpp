#pragma once

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// In step k each rank sends to the rank k after it and receives from the rank k before it.
class AlltoallRing final : public Collective {
  public:
    /// `bytes`: from each rank to each. The block from rank s to rank d is s P + d.
    AlltoallRing(Rank ranks, std::uint64_t bytes)
        : Collective(ranks, Parts::equal(bytes, std::uint64_t{ranks} * ranks)) {}

    [[nodiscard]] std::uint32_t steps(Rank) const override { return ranks() - 1; }
    [[nodiscard]] Step step(Rank, std::uint32_t) const override { return {1, 1}; }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t) const override {
        const Rank to = after(rank, step + 1);
        return {to, step, std::uint64_t{rank} * ranks() + to, 1};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step, std::uint32_t) const override {
        const Rank from = before(rank, step + 1);
        return {from, 0, std::uint64_t{from} * ranks() + rank, 1};
    }
};

}  // namespace lapwing::simulate

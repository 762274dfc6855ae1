#pragma once

#include <algorithm>

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// Bruck's algorithm with several ports (Bruck 1997; Open MPI, MPICH): in the round with distance
/// d, a power of k (`radix`), each rank sends to the ranks d, 2 d, … (k - 1) d before it, all at
/// once. It sends the blocks it has, as far as the receivers lack them. With k = 2 it is
/// `AllgatherBruck`.
class AllgatherKBruck final : public Collective {
  public:
    /// `parts`: block i is rank i's.
    AllgatherKBruck(Rank ranks, const Parts& parts, std::uint32_t radix)
        : Collective(ranks, parts), radix_(radix) {}

    [[nodiscard]] std::uint32_t steps(Rank) const override {
        std::uint32_t rounds = 0;
        for (std::uint64_t distance = 1; distance < ranks(); distance *= radix_) ++rounds;
        return rounds;
    }
    [[nodiscard]] Step step(Rank, std::uint32_t step) const override {
        const std::uint64_t peers = (ranks() - 1) / distance(step);
        const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(peers, radix_ - 1));
        return {count, count, true};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t index) const override {
        const Rank away = distance(step) * (index + 1);
        return {before(rank, away), step, rank, count(step, away)};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step,
                                    std::uint32_t index) const override {
        const Rank away = distance(step) * (index + 1);
        return {after(rank, away), 0, after(rank, away), count(step, away)};
    }

  private:
    [[nodiscard]] Rank distance(std::uint32_t step) const {
        Rank distance = 1;
        for (std::uint32_t i = 0; i < step; ++i) distance *= radix_;
        return distance;
    }
    [[nodiscard]] Rank count(std::uint32_t step, Rank away) const {
        return std::min(distance(step), ranks() - away);
    }

    std::uint32_t radix_;
};

}  // namespace lapwing::simulate

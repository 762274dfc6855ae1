#pragma once

#include <stdexcept>

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// Neighbours exchange, on one side and the other in turn: first their own blocks, then the two
/// that came last (Chen, Yuan 2005). For an even number of ranks; of an odd number Open MPI makes a
/// ring, and so does `make_collective`.
class AllgatherNeighbourExchange final : public Collective {
  public:
    /// `parts`: block i is rank i's. Throws `std::invalid_argument` if `ranks` is odd.
    AllgatherNeighbourExchange(Rank ranks, const Parts& parts) : Collective(ranks, parts) {
        if (ranks % 2 != 0) throw std::invalid_argument("neighbour exchange needs even ranks");
    }

    [[nodiscard]] std::uint32_t steps(Rank) const override { return ranks() / 2; }
    [[nodiscard]] Step step(Rank, std::uint32_t) const override { return {1, 1}; }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t) const override {
        if (step == 0) return {neighbour(rank, 0), 0, rank, 1};
        return {neighbour(rank, step), step, 2 * std::uint64_t{arriving(rank, step - 1)}, 2};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step, std::uint32_t) const override {
        const Rank from = neighbour(rank, step);
        if (step == 0) return {from, 0, from, 1};
        return {from, 0, 2 * std::uint64_t{arriving(rank, step)}, 2};
    }

  private:
    /// An even rank begins with the one after it, an odd one with the one before.
    [[nodiscard]] Rank neighbour(Rank rank, std::uint32_t step) const {
        return (rank + step) % 2 == 0 ? after(rank, 1) : before(rank, 1);
    }
    /// The pair of blocks that is there after `step` and was not before: those further and further
    /// away on the side of the neighbour that they come from.
    [[nodiscard]] Rank arriving(Rank rank, std::uint32_t step) const {
        const Rank pairs = ranks() / 2;
        const Rank distance = (step + 1) / 2;
        const bool before = (rank + step) % 2 != 0;
        return (rank / 2 + (before ? pairs - distance : distance)) % pairs;
    }
};

}  // namespace lapwing::simulate

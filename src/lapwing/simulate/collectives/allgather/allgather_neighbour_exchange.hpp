#pragma once

#include <stdexcept>

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// Each rank exchanges with its two neighbours alternately: first its own block, then the two
/// blocks that it received last (Chen, Yuan 2005). Needs an even number of ranks; with an odd
/// number Open MPI and `make_collective` take the ring.
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
    /// An even rank begins with the rank after it, an odd one with the rank before it.
    [[nodiscard]] Rank neighbour(Rank rank, std::uint32_t step) const {
        return (rank + step) % 2 == 0 ? after(rank, 1) : before(rank, 1);
    }
    /// The pair of blocks that `rank` receives in `step`. Each comes from further away, on the side
    /// of the neighbour that sends it.
    [[nodiscard]] Rank arriving(Rank rank, std::uint32_t step) const {
        const Rank pairs = ranks() / 2;
        const Rank distance = (step + 1) / 2;
        const bool before = (rank + step) % 2 != 0;
        return (rank / 2 + (before ? pairs - distance : distance)) % pairs;
    }
};

}  // namespace lapwing::simulate

#pragma once

#include <bit>
#include <stdexcept>

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// In step k each rank exchanges with the rank whose number differs from its own in the bits of k.
/// Needs a power of two of ranks; with another number MPICH and `make_collective` take the ring.
class AlltoallPairwise final : public Collective {
  public:
    /// `bytes`: from each rank to each. The block from rank s to rank d is s P + d. Throws
    /// `std::invalid_argument` if `ranks` is not a power of two.
    AlltoallPairwise(Rank ranks, std::uint64_t bytes)
        : Collective(ranks, Parts::equal(bytes, std::uint64_t{ranks} * ranks)) {
        if (!std::has_single_bit(ranks))
            throw std::invalid_argument("pairwise exchange needs a power of two of ranks");
    }

    [[nodiscard]] std::uint32_t steps(Rank) const override { return ranks() - 1; }
    [[nodiscard]] Step step(Rank, std::uint32_t) const override { return {1, 1}; }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t) const override {
        const Rank peer = rank ^ (step + 1);
        return {peer, step, std::uint64_t{rank} * ranks() + peer, 1};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step, std::uint32_t) const override {
        const Rank peer = rank ^ (step + 1);
        return {peer, 0, std::uint64_t{peer} * ranks() + rank, 1};
    }
};

}  // namespace lapwing::simulate

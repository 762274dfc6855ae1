#pragma once

#include <bit>
#include <stdexcept>

#include "lapwing/simulate/collectives/bine/bine.hpp"
#include "lapwing/simulate/collectives/collective.hpp"
#include "lapwing/simulate/collectives/powers.hpp"

namespace lapwing::simulate {

/// In step s each rank sends its Bine partner, the nearest first, half of all its blocks: those for
/// the partner and its later partners (De Sensi et al. 2025). Needs a power of two of ranks; with
/// another number `make_collective` takes Bruck's algorithm.
class AlltoallBine final : public Collective {
  public:
    /// `bytes`: from each rank to each. The block from rank s to rank d is s P + d. Throws
    /// `std::invalid_argument` if `ranks` is not a power of two.
    AlltoallBine(Rank ranks, std::uint64_t bytes)
        : Collective(ranks, Parts::equal(bytes, std::uint64_t{ranks} * ranks)),
          bine_(floor_log2(ranks)) {
        if (!std::has_single_bit(ranks))
            throw std::invalid_argument("a Bine all-to-all needs a power of two of ranks");
    }

    [[nodiscard]] std::uint32_t steps(Rank) const override { return bine_.levels(); }
    [[nodiscard]] Step step(Rank, std::uint32_t) const override { return {1, 1}; }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t) const override {
        return {bine_.partner(rank, step), step, 0, ranks() / 2};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step, std::uint32_t) const override {
        return {bine_.partner(rank, step), 0, 0, ranks() / 2};
    }
    [[nodiscard]] std::vector<std::uint64_t> blocks(Rank rank, std::uint32_t step,
                                                    std::uint32_t) const override {
        const std::uint32_t size = bine_.levels() - step - 1;
        const Rank first = bine_.position(bine_.partner(rank, step)) >> size << size;
        std::vector<std::uint64_t> blocks;
        for (Rank source = 0; source < Rank{1} << step; ++source)
            for (Rank i = 0; i < Rank{1} << size; ++i) {
                const Rank from = (bine_.first_near(rank, step) + source) % ranks();
                blocks.push_back(std::uint64_t{from} * ranks() + bine_.core_at(first + i));
            }
        return blocks;
    }

  private:
    Bine bine_;
};

}  // namespace lapwing::simulate

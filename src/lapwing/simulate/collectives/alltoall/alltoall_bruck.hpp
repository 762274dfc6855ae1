#pragma once

#include "lapwing/simulate/collectives/collective.hpp"
#include "lapwing/simulate/collectives/powers.hpp"

namespace lapwing::simulate {

/// A block travels the distance to its rank bit by bit (Bruck 1997). In round k all blocks whose
/// distance has bit k go 2^k ranks further, in one message.
class AlltoallBruck final : public Collective {
  public:
    /// `bytes`: from each rank to each. The block from rank s to rank d is s P + d.
    AlltoallBruck(Rank ranks, std::uint64_t bytes)
        : Collective(ranks, Parts::equal(bytes, std::uint64_t{ranks} * ranks)),
          rounds_(ceil_log2(ranks)) {}

    [[nodiscard]] std::uint32_t steps(Rank) const override { return rounds_; }
    [[nodiscard]] Step step(Rank, std::uint32_t) const override { return {1, 1}; }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t) const override {
        return {after(rank, Rank{1} << step), step, 0, count(step)};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step, std::uint32_t) const override {
        return {before(rank, Rank{1} << step), 0, 0, count(step)};
    }
    [[nodiscard]] std::vector<std::uint64_t> blocks(Rank rank, std::uint32_t step,
                                                    std::uint32_t) const override {
        std::vector<std::uint64_t> blocks;
        for (Rank distance = 0; distance < ranks(); ++distance) {
            if ((distance >> step & 1U) == 0) continue;
            // It has travelled the lower bits of its distance.
            const Rank from = before(rank, distance & ((Rank{1} << step) - 1));
            blocks.push_back(std::uint64_t{from} * ranks() + after(from, distance));
        }
        return blocks;
    }

  private:
    /// The number of distances below `ranks` that have this bit.
    [[nodiscard]] Rank count(std::uint32_t bit) const {
        const std::uint64_t half = std::uint64_t{1} << bit;
        const std::uint64_t rest = ranks() % (2 * half);
        return static_cast<Rank>(ranks() / (2 * half) * half + (rest > half ? rest - half : 0));
    }

    std::uint32_t rounds_;
};

}  // namespace lapwing::simulate

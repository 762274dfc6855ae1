#pragma once

#include <algorithm>

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// Bruck's algorithm with several ports (Bruck 1997; MPICH): a block travels the distance to its
/// rank digit by digit, in base k (`radix`). In the round of a digit with weight w all blocks whose
/// digit is j go j w ranks further, for all j at once. With k = 2 it is `AlltoallBruck`.
class AlltoallKBruck final : public Collective {
  public:
    /// `bytes`: from each rank to each. The block from rank s to rank d is s P + d.
    AlltoallKBruck(Rank ranks, std::uint64_t bytes, std::uint32_t radix)
        : Collective(ranks, Parts::equal(bytes, std::uint64_t{ranks} * ranks)), radix_(radix) {}

    [[nodiscard]] std::uint32_t steps(Rank) const override {
        std::uint32_t rounds = 0;
        for (std::uint64_t weight = 1; weight < ranks(); weight *= radix_) ++rounds;
        return rounds;
    }
    [[nodiscard]] Step step(Rank, std::uint32_t step) const override {
        const std::uint64_t digits = (ranks() - 1) / weight(step);
        const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(digits, radix_ - 1));
        return {count, count, true};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t index) const override {
        return {after(rank, weight(step) * (index + 1)), step, 0, count(step, index + 1)};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step,
                                    std::uint32_t index) const override {
        return {before(rank, weight(step) * (index + 1)), 0, 0, count(step, index + 1)};
    }
    [[nodiscard]] std::vector<std::uint64_t> blocks(Rank rank, std::uint32_t step,
                                                    std::uint32_t index) const override {
        std::vector<std::uint64_t> blocks;
        for (Rank distance = 0; distance < ranks(); ++distance) {
            if (distance / weight(step) % radix_ != index + 1) continue;
            // It has travelled the lower digits of its distance.
            const Rank from = before(rank, distance % weight(step));
            blocks.push_back(std::uint64_t{from} * ranks() + after(from, distance));
        }
        return blocks;
    }

  private:
    [[nodiscard]] Rank weight(std::uint32_t step) const {
        Rank weight = 1;
        for (std::uint32_t i = 0; i < step; ++i) weight *= radix_;
        return weight;
    }
    /// The number of distances below `ranks` that have this digit.
    [[nodiscard]] Rank count(std::uint32_t step, std::uint32_t digit) const {
        const std::uint64_t unit = weight(step);
        const std::uint64_t cycle = unit * radix_;
        const std::uint64_t rest = ranks() % cycle;
        const std::uint64_t begin = unit * digit;
        return static_cast<Rank>(ranks() / cycle * unit +
                                 (rest > begin ? std::min(unit, rest - begin) : 0));
    }

    std::uint32_t radix_;
};

}  // namespace lapwing::simulate

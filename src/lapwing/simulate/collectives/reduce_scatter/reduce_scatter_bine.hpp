#pragma once

#include "lapwing/simulate/collectives/bine/bine_butterfly.hpp"

namespace lapwing::simulate {

/// Bine partners, the nearest first, send each other half of their data: the blocks of the other
/// rank and of its later partners (De Sensi et al. 2025).
class ReduceScatterBine final : public BineButterfly {
  public:
    /// Which block a rank ends with: its own, or the one of its position, which makes those of a
    /// message consecutive (for powers of two of ranks).
    enum class End : std::uint8_t { own, position };

    /// `parts`: the data of a rank; block i ends at rank i. All are of one size.
    ReduceScatterBine(Rank ranks, const Parts& parts, End end = End::own)
        : BineButterfly(ranks, parts), end_(end) {}

    [[nodiscard]] std::vector<std::uint64_t> blocks(Rank rank, std::uint32_t step,
                                                    std::uint32_t index) const override {
        const auto round = round_of(rank, step);
        if (!round || end_ == End::position) return Folded::blocks(rank, step, index);
        return group(partner(cores().core_of(rank), *round), *round + 1);
    }

  protected:
    [[nodiscard]] std::uint32_t rounds() const override { return levels(); }
    [[nodiscard]] Rank partner(Rank core, std::uint32_t round) const override {
        return bine().partner(core, round);
    }
    [[nodiscard]] Span exchanged(Rank core, std::uint32_t round) const override {
        const Rank of = partner(core, round);
        if (end_ == End::position)
            return {first_position(of, round + 1), cores().count() >> (round + 1), Effect::combine};
        return {0, ranks_of_group(of, round + 1), Effect::combine};
    }
    [[nodiscard]] Span handed_over(Rank) const override {
        return {0, parts().count(), Effect::combine};
    }
    [[nodiscard]] Span handed_back(Rank rank) const override { return {rank, 1, Effect::replace}; }

  private:
    End end_;
};

}  // namespace lapwing::simulate

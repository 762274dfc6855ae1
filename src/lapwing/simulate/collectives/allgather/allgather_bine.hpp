#pragma once

#include "lapwing/simulate/collectives/bine/bine_butterfly.hpp"

namespace lapwing::simulate {

/// Bine partners, the most distant first, exchange all blocks that they have (De Sensi et al.
/// 2025).
class AllgatherBine final : public BineButterfly {
  public:
    /// Which block a rank begins with: its own, or the one of its position, which makes those of a
    /// message consecutive (for powers of two of ranks).
    enum class Begin : std::uint8_t { own, position };

    /// `parts`: block i is rank i's; all are of one size.
    AllgatherBine(Rank ranks, const Parts& parts, Begin begin = Begin::own)
        : BineButterfly(ranks, parts), begin_(begin) {}

    [[nodiscard]] std::vector<std::uint64_t> blocks(Rank rank, std::uint32_t step,
                                                    std::uint32_t index) const override {
        const auto round = round_of(rank, step);
        if (!round || begin_ == Begin::position) return Folded::blocks(rank, step, index);
        return group(cores().core_of(rank), levels() - *round);
    }

  protected:
    [[nodiscard]] std::uint32_t rounds() const override { return levels(); }
    [[nodiscard]] Rank partner(Rank core, std::uint32_t round) const override {
        return bine().partner(core, levels() - 1 - round);
    }
    [[nodiscard]] Span exchanged(Rank core, std::uint32_t round) const override {
        const std::uint32_t before = levels() - round;
        if (begin_ == Begin::position) return {first_position(core, before), Rank{1} << round};
        return {0, ranks_of_group(core, before)};
    }
    [[nodiscard]] Span handed_over(Rank rank) const override { return {rank, 1}; }
    [[nodiscard]] Span handed_back(Rank) const override { return {0, parts().count()}; }

  private:
    Begin begin_;
};

}  // namespace lapwing::simulate

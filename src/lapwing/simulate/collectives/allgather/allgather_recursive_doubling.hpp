#pragma once

#include "lapwing/simulate/collectives/folded.hpp"

namespace lapwing::simulate {

/// Partners at distances 1, 2, 4, … exchange all blocks that they have.
class AllgatherRecursiveDoubling final : public Folded {
  public:
    /// `parts`: block i is rank i's.
    AllgatherRecursiveDoubling(Rank ranks, const Parts& parts) : Folded(ranks, parts) {}

  protected:
    [[nodiscard]] std::uint32_t rounds() const override { return cores().levels(); }
    [[nodiscard]] Rank partner(Rank core, std::uint32_t round) const override {
        return core ^ (Rank{1} << round);
    }
    [[nodiscard]] Span exchanged(Rank core, std::uint32_t round) const override {
        const Rank first = core >> round << round;
        const Rank begin = cores().first_rank(first);
        return {begin, cores().first_rank(first + (Rank{1} << round)) - begin};
    }
    [[nodiscard]] Span handed_over(Rank rank) const override { return {rank, 1}; }
    [[nodiscard]] Span handed_back(Rank) const override { return {0, parts().count()}; }
};

}  // namespace lapwing::simulate

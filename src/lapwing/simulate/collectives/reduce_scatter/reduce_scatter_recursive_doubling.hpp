#pragma once

#include "lapwing/simulate/collectives/folded.hpp"

namespace lapwing::simulate {

/// Partners at distances 1, 2, 4, … exchange and combine their data. They leave out the blocks of
/// the sender and of those with which it has exchanged before (MPICH, Open MPI). It keeps the order
/// of the ranks.
class ReduceScatterRecursiveDoubling final : public Folded {
  public:
    /// `parts`: the data of a rank; block i ends at rank i.
    ReduceScatterRecursiveDoubling(Rank ranks, const Parts& parts) : Folded(ranks, parts) {}

  protected:
    [[nodiscard]] std::uint32_t rounds() const override { return cores().levels(); }
    [[nodiscard]] Rank partner(Rank core, std::uint32_t round) const override {
        return core ^ (Rank{1} << round);
    }
    [[nodiscard]] Span exchanged(Rank core, std::uint32_t round) const override {
        const Rank first = core >> round << round;
        const Rank own = cores().ranks_of(first, Rank{1} << round);
        const Rank behind = cores().first_rank(first) + own;
        return {behind % ranks(), std::uint64_t{ranks()} - own, Effect::combine};
    }
    [[nodiscard]] Span handed_over(Rank) const override {
        return {0, parts().count(), Effect::combine};
    }
    [[nodiscard]] Span handed_back(Rank rank) const override { return {rank, 1, Effect::replace}; }
};

}  // namespace lapwing::simulate

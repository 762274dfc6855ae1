#pragma once

#include "lapwing/simulate/collectives/folded.hpp"

namespace lapwing::simulate {

/// Partners at distances 1, 2, 4, … exchange and combine their whole data.
class AllreduceRecursiveDoubling final : public Folded {
  public:
    /// `bytes`: the data of a rank.
    AllreduceRecursiveDoubling(Rank ranks, std::uint64_t bytes)
        : Folded(ranks, Parts::equal(bytes, 1)) {}

  protected:
    [[nodiscard]] std::uint32_t rounds() const override { return cores().levels(); }
    [[nodiscard]] Rank partner(Rank core, std::uint32_t round) const override {
        return core ^ (Rank{1} << round);
    }
    [[nodiscard]] Span exchanged(Rank, std::uint32_t) const override {
        return {0, 1, Effect::combine};
    }
    [[nodiscard]] Span handed_over(Rank) const override { return {0, 1, Effect::combine}; }
    [[nodiscard]] Span handed_back(Rank) const override { return {0, 1, Effect::replace}; }
};

}  // namespace lapwing::simulate

#pragma once

#include "lapwing/simulate/collectives/folded.hpp"

namespace lapwing::simulate {

/// Partners, the most distant first, send each other the half of their data that the other keeps.
class ReduceScatterRecursiveHalving final : public Folded {
  public:
    /// `parts`: the data of a rank; block i ends at rank i.
    ReduceScatterRecursiveHalving(Rank ranks, const Parts& parts) : Folded(ranks, parts) {}

  protected:
    [[nodiscard]] std::uint32_t rounds() const override { return cores().levels(); }
    [[nodiscard]] Rank partner(Rank core, std::uint32_t round) const override {
        return core ^ distance(round);
    }
    [[nodiscard]] Span exchanged(Rank core, std::uint32_t round) const override {
        const Rank size = distance(round);
        const Rank first = (core ^ size) / size * size;
        const Rank begin = cores().first_rank(first);
        return {begin, cores().first_rank(first + size) - begin, Effect::combine};
    }
    [[nodiscard]] Span handed_over(Rank) const override {
        return {0, parts().count(), Effect::combine};
    }
    [[nodiscard]] Span handed_back(Rank rank) const override { return {rank, 1, Effect::replace}; }

  private:
    [[nodiscard]] Rank distance(std::uint32_t round) const {
        return Rank{1} << (cores().levels() - 1 - round);
    }
};

}  // namespace lapwing::simulate

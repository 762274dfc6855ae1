#pragma once

#include "lapwing/simulate/collectives/folded.hpp"

namespace lapwing::simulate {

/// Reduce-scatter by recursive halving, then allgather by recursive doubling (Rabenseifner 2004).
class AllreduceRabenseifner final : public Folded {
  public:
    /// `bytes`: the data of a rank.
    AllreduceRabenseifner(Rank ranks, std::uint64_t bytes)
        : Folded(ranks, Parts::split(bytes, Rank{1} << floor_log2(ranks))) {}

  protected:
    [[nodiscard]] std::uint32_t rounds() const override { return 2 * cores().levels(); }
    // Partners are far apart first, and again last.
    [[nodiscard]] Rank distance(std::uint32_t round) const override {
        return Rank{1} << (round < cores().levels() ? cores().levels() - 1 - round
                                                    : round - cores().levels());
    }
    [[nodiscard]] Span exchanged(Rank core, std::uint32_t round) const override {
        const Rank size = distance(round);
        // While reducing, the partner's half of what both hold; afterwards what the core has.
        const Rank of = round < cores().levels() ? core ^ size : core;
        return {std::uint64_t{of / size} * size, size,
                round < cores().levels() ? Effect::combine : Effect::replace};
    }
    [[nodiscard]] Span handed_over(Rank) const override {
        return {0, parts().count(), Effect::combine};
    }
    [[nodiscard]] Span handed_back(Rank) const override {
        return {0, parts().count(), Effect::replace};
    }
};

}  // namespace lapwing::simulate

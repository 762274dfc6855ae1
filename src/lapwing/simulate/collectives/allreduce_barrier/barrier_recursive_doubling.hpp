#pragma once

#include "lapwing/simulate/collectives/folded.hpp"

namespace lapwing::simulate {

/// Barrier by recursive doubling: partners at distances 1, 2, 4, … signal each other.
class BarrierRecursiveDoubling final : public Folded {
  public:
    /// `bytes`: the size of a message.
    BarrierRecursiveDoubling(Rank ranks, std::uint64_t bytes)
        : Folded(ranks, Parts::equal(bytes, 1)) {}

  protected:
    [[nodiscard]] std::uint32_t rounds() const override { return cores().levels(); }
    [[nodiscard]] Rank partner(Rank core, std::uint32_t round) const override {
        return core ^ (Rank{1} << round);
    }
    [[nodiscard]] Span exchanged(Rank, std::uint32_t) const override { return token; }
    [[nodiscard]] Span handed_over(Rank) const override { return token; }
    [[nodiscard]] Span handed_back(Rank) const override { return token; }

  private:
    static constexpr Span token{0, 1, Effect::learn};
};

}  // namespace lapwing::simulate

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
    // Partners are near at the beginning and at the end, when there is most to send.
    [[nodiscard]] Rank partner(Rank core, std::uint32_t round) const override {
        return core ^ (Rank{1} << bit(round));
    }
    [[nodiscard]] Span exchanged(Rank core, std::uint32_t round) const override {
        const std::uint32_t times = bit(round) + 1;
        // While reducing, the blocks that the partner keeps; afterwards those that the core has.
        const bool reducing = round < cores().levels();
        const Rank of = reducing ? partner(core, round) : core;
        return {cores().kept_from(of, times), cores().count() >> times,
                reducing ? Effect::combine : Effect::replace};
    }
    [[nodiscard]] Span handed_over(Rank) const override {
        return {0, parts().count(), Effect::combine};
    }
    [[nodiscard]] Span handed_back(Rank) const override {
        return {0, parts().count(), Effect::replace};
    }

  private:
    [[nodiscard]] std::uint32_t bit(std::uint32_t round) const {
        const std::uint32_t levels = cores().levels();
        return round < levels ? round : 2 * levels - 1 - round;
    }
};

}  // namespace lapwing::simulate

#pragma once

#include "lapwing/simulate/collectives/folded.hpp"

namespace lapwing::simulate {

/// The first half of Open MPI's butterfly (Träff 2005): recursive halving with near partners first.
/// After it each core has the sum of the blocks of its mirror, which has the bits of its number in
/// reverse order.
class ReduceToMirrors final : public Folded {
  public:
    /// `parts`: the data of a rank; block i is to end at rank i.
    ReduceToMirrors(Rank ranks, const Parts& parts)
        : Folded(ranks, parts, CoreOf::odd, IdleRanks::hand_over) {}

  protected:
    [[nodiscard]] std::uint32_t rounds() const override { return cores().levels(); }
    [[nodiscard]] Rank partner(Rank core, std::uint32_t round) const override {
        return core ^ (Rank{1} << round);
    }
    [[nodiscard]] Span exchanged(Rank core, std::uint32_t round) const override {
        const Rank first = cores().kept_from(partner(core, round), round + 1);
        return {cores().first_rank(first), cores().ranks_of(first, cores().count() >> (round + 1)),
                Effect::combine};
    }
    [[nodiscard]] Span handed_over(Rank) const override {
        return {0, parts().count(), Effect::combine};
    }
    [[nodiscard]] Span handed_back(Rank) const override { return {}; }
};

/// The second half: each core sends the blocks that it has to the idle rank and the core of its
/// mirror.
class SendToMirrors final : public Collective {
  public:
    /// `parts`: as they are left by `ReduceToMirrors`.
    SendToMirrors(Rank ranks, const Parts& parts) : Collective(ranks, parts), cores_(ranks) {}

    [[nodiscard]] std::uint32_t steps(Rank rank) const override {
        return cores_.idle(rank) ? 1 : 2;
    }
    [[nodiscard]] Step step(Rank rank, std::uint32_t step) const override {
        if (cores_.idle(rank)) return {0, 1};
        if (step == 0) return {mirror(rank) < cores_.twos() ? 1U : 0U, 0};
        return mirror(rank) == cores_.core_of(rank) ? Step{} : Step{1, 1};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t) const override {
        const Rank core = cores_.rank_of(mirror(rank));
        const Rank to = step == 0 ? Cores::partner(core) : core;
        return {to, step, to, 1};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t, std::uint32_t) const override {
        return {cores_.rank_of(mirror(rank)), 0, rank, 1};
    }

  private:
    /// The mirror of the core of a rank.
    [[nodiscard]] Rank mirror(Rank rank) const {
        return cores_.kept_from(cores_.core_of(rank), cores_.levels());
    }

    Cores cores_;
};

}  // namespace lapwing::simulate

#pragma once

#include <bit>

#include "lapwing/simulate/collectives/folded.hpp"

namespace lapwing::simulate {

/// The first half of a reduction of long messages: recursive halving, with near partners first,
/// when there is most to send. Each core ends with the sum of its block. Even ranks are cores,
/// because the root is one (MPICH).
class ReduceToCores final : public Folded {
  public:
    /// `parts`: the data of a rank, a block for each core.
    ReduceToCores(Rank ranks, const Parts& parts)
        : Folded(ranks, parts, CoreOf::even, IdleRanks::hand_over) {}

  protected:
    [[nodiscard]] std::uint32_t rounds() const override { return cores().levels(); }
    [[nodiscard]] Rank partner(Rank core, std::uint32_t round) const override {
        return core ^ (Rank{1} << round);
    }
    [[nodiscard]] Span exchanged(Rank core, std::uint32_t round) const override {
        return {cores().kept_from(partner(core, round), round + 1), cores().count() >> (round + 1),
                Effect::combine};
    }
    [[nodiscard]] Span handed_over(Rank) const override {
        return {0, parts().count(), Effect::combine};
    }
    [[nodiscard]] Span handed_back(Rank) const override { return {}; }
};

/// The second half: a gather of the cores' blocks up a binomial tree. The parent of a core is its
/// number without its highest bit, so the blocks of a subtree are consecutive. A core receives from
/// its farthest child first, which has least.
class GatherFromCores final : public Collective {
  public:
    /// `parts`: as they are left by `ReduceToCores`.
    GatherFromCores(Rank ranks, const Parts& parts)
        : Collective(ranks, parts), cores_(ranks, CoreOf::even) {}

    [[nodiscard]] std::uint32_t steps(Rank rank) const override {
        return cores_.idle(rank) ? 0 : children(cores_.core_of(rank)) + 1;
    }
    [[nodiscard]] Step step(Rank rank, std::uint32_t step) const override {
        if (step < children(cores_.core_of(rank))) return {0, 1};
        return {rank == 0 ? 0U : 1U, 0};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t, std::uint32_t) const override {
        const Rank core = cores_.core_of(rank);
        const Rank parent = core & ~std::bit_floor(core);
        // The parent receives from its children from the highest bit down.
        return transfer(core, cores_.rank_of(parent), children(core));
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step, std::uint32_t) const override {
        const Rank child = cores_.core_of(rank) + (Rank{1} << (cores_.levels() - 1 - step));
        return transfer(child, cores_.rank_of(child), 0);
    }

  private:
    /// The number of a core's children: one for each bit above its highest.
    [[nodiscard]] std::uint32_t children(Rank core) const {
        return cores_.levels() - static_cast<std::uint32_t>(std::bit_width(core));
    }
    /// The message with all blocks of `core`, at a rank whose peer is `peer`.
    [[nodiscard]] Transfer transfer(Rank core, Rank peer, std::uint32_t key) const {
        const auto times = static_cast<std::uint32_t>(std::bit_width(core));
        return {peer, key, cores_.kept_from(core, times), cores_.count() >> times};
    }

    Cores cores_;
};

}  // namespace lapwing::simulate

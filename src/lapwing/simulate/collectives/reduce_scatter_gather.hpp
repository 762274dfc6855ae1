#pragma once

#include <bit>

#include "lapwing/simulate/collectives/folded.hpp"

namespace lapwing::simulate {

/// The first half of a reduction for long messages: by recursive halving, near partners first while
/// there is most to send, each core comes to the sum of its part. The root is a core, so even ranks
/// are (MPICH).
class ReduceToCores final : public Folded {
  public:
    /// `parts`: the data of a rank, a block for each core.
    ReduceToCores(Rank ranks, const Parts& parts) : Folded(ranks, parts, CoreOf::even) {}

  protected:
    [[nodiscard]] std::uint32_t rounds() const override { return cores().levels(); }
    [[nodiscard]] Rank distance(std::uint32_t round) const override { return Rank{1} << round; }
    [[nodiscard]] Span exchanged(Rank core, std::uint32_t round) const override {
        return {cores().kept_from(core ^ distance(round), round + 1),
                cores().count() >> (round + 1), Effect::combine};
    }
    [[nodiscard]] Span handed_over(Rank) const override {
        return {0, parts().count(), Effect::combine};
    }
    [[nodiscard]] Span handed_back(Rank) const override { return {}; }
    [[nodiscard]] bool gives_back() const override { return false; }
};

/// The second half: the cores' parts go up a binomial tree, in which the parent is the core without
/// its highest bit, so that the parts of a subtree follow each other. Far ones, which have least,
/// come first.
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
        // The parent turns to its children from the highest bit down.
        return transfer(core, cores_.rank_of(parent), children(core));
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step, std::uint32_t) const override {
        const Rank child = cores_.core_of(rank) + (Rank{1} << (cores_.levels() - 1 - step));
        return transfer(child, cores_.rank_of(child), 0);
    }

  private:
    /// How many children a core has: one for each bit above its highest.
    [[nodiscard]] std::uint32_t children(Rank core) const {
        return cores_.levels() - static_cast<std::uint32_t>(std::bit_width(core));
    }
    /// What `core` has, sent or received by a rank whose peer is `peer`.
    [[nodiscard]] Transfer transfer(Rank core, Rank peer, std::uint32_t key) const {
        const auto times = static_cast<std::uint32_t>(std::bit_width(core));
        return {peer, key, cores_.kept_from(core, times), cores_.count() >> times};
    }

    Cores cores_;
};

}  // namespace lapwing::simulate

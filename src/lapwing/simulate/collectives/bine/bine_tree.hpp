#pragma once

#include "lapwing/simulate/collectives/bine/bine.hpp"
#include "lapwing/simulate/collectives/cores.hpp"

namespace lapwing::simulate {

/// A Bine tree of ranks 0 to `ranks - 1`. If they are no power of two, it is one of cores; an idle
/// rank is the last child of its core. The ranks of every subtree are consecutive, cyclically.
class BineTree {
  public:
    explicit BineTree(Rank ranks) : cores_(ranks, CoreOf::even), bine_(cores_.levels()) {}

    [[nodiscard]] static Rank root() { return 0; }
    [[nodiscard]] static bool idle(Rank) { return false; }
    [[nodiscard]] Rank parent(Rank rank) const {
        if (cores_.idle(rank)) return Cores::partner(rank);
        const Rank core = cores_.core_of(rank);
        return cores_.rank_of(bine_.partner(core, bine_.step_of_parent(core)));
    }
    [[nodiscard]] std::uint32_t children(Rank rank) const {
        if (cores_.idle(rank)) return 0;
        return steps(cores_.core_of(rank)) + (cores_.folded(rank) ? 1 : 0);
    }
    /// The `i`-th child: those with the largest subtrees are first.
    [[nodiscard]] Rank child(Rank rank, std::uint32_t i) const {
        const Rank core = cores_.core_of(rank);
        const std::uint32_t steps = this->steps(core);
        if (i == steps) return Cores::partner(rank);
        return cores_.rank_of(bine_.partner(core, steps - 1 - i));
    }
    /// The position of `rank` among its parent's children.
    [[nodiscard]] std::uint32_t place(Rank rank) const {
        const Rank above = cores_.core_of(parent(rank));
        if (cores_.idle(rank)) return steps(above);
        return steps(above) - 1 - bine_.step_of_parent(cores_.core_of(rank));
    }
    /// The ranks of the subtree of `rank`: `count` from `first` on, cyclically.
    struct Ranks {
        Rank first;
        Rank count;
    };
    [[nodiscard]] Ranks subtree(Rank rank) const {
        if (cores_.idle(rank)) return {rank, 1};
        const Rank core = cores_.core_of(rank);
        const std::uint32_t steps = this->steps(core);
        const Rank first = bine_.first_near(core, steps);
        return {cores_.first_rank(first), cores_.ranks_of(first, Rank{1} << steps)};
    }

  private:
    /// The number of children that are cores: the partners of the steps below its parent's.
    [[nodiscard]] std::uint32_t steps(Rank core) const {
        return core == 0 ? bine_.levels() : bine_.step_of_parent(core);
    }

    Cores cores_;
    Bine bine_;
};

}  // namespace lapwing::simulate

#pragma once

#include <bit>

#include "lapwing/simulate/collectives/bine/bine.hpp"
#include "lapwing/simulate/collectives/cores.hpp"

namespace lapwing::simulate {

/// The tree that scatters over the Bine butterfly, the nearest partner first, which gets most.
/// There is a block for each core, at its position (`Bine::position`), so that the blocks of every
/// subtree are consecutive. Idle ranks are not in the tree.
class BineScatterTree {
  public:
    explicit BineScatterTree(Rank ranks) : cores_(ranks, CoreOf::even), bine_(cores_.levels()) {}

    [[nodiscard]] static Rank root() { return 0; }
    [[nodiscard]] bool idle(Rank rank) const { return cores_.idle(rank); }
    [[nodiscard]] Rank parent(Rank rank) const {
        const Rank core = cores_.core_of(rank);
        return cores_.rank_of(bine_.partner(core, bine_.levels() - 1 - height(core)));
    }
    [[nodiscard]] std::uint32_t children(Rank rank) const {
        return idle(rank) ? 0 : height(cores_.core_of(rank));
    }
    /// The `i`-th child: those with the largest subtrees are first.
    [[nodiscard]] Rank child(Rank rank, std::uint32_t i) const {
        const Rank core = cores_.core_of(rank);
        return cores_.rank_of(bine_.partner(core, bine_.levels() - height(core) + i));
    }
    /// The position of `rank` among its parent's children.
    [[nodiscard]] std::uint32_t place(Rank rank) const {
        return children(parent(rank)) - 1 - height(cores_.core_of(rank));
    }
    /// The blocks of the subtree of `rank`: `count` from `first` on.
    struct Blocks {
        Rank first;
        Rank count;
    };
    [[nodiscard]] Blocks subtree(Rank rank) const {
        const Rank core = cores_.core_of(rank);
        return {bine_.position(core), Rank{1} << height(core)};
    }

  private:
    /// Levels of the subtree below a core.
    [[nodiscard]] std::uint32_t height(Rank core) const {
        return core == 0 ? bine_.levels()
                         : static_cast<std::uint32_t>(std::countr_zero(bine_.position(core)));
    }

    Cores cores_;
    Bine bine_;
};

}  // namespace lapwing::simulate

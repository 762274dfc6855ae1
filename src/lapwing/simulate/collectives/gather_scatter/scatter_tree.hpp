#pragma once

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// Scatter down a tree: a rank sends each child the blocks of its whole subtree, one child after
/// another. `Tree` has each rank's parent and the blocks of each subtree, as `KNomialTree`.
template <class Tree>
class ScatterTree final : public Collective {
  public:
    /// `parts`: the blocks that the tree counts.
    ScatterTree(Tree tree, Rank ranks, const Parts& parts)
        : Collective(ranks, parts), tree_(tree) {}

    [[nodiscard]] std::uint32_t steps(Rank rank) const override {
        return tree_.idle(rank) ? 0 : 1 + tree_.children(rank);
    }
    [[nodiscard]] Step step(Rank rank, std::uint32_t step) const override {
        if (step == 0) return {0, rank == 0 ? 0U : 1U};
        return {1, 0};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t) const override {
        const Rank child = tree_.child(rank, step - 1);
        return transfer(child, child);
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t, std::uint32_t) const override {
        return transfer(tree_.parent(rank), rank);
    }

  private:
    /// The message with the blocks of `child`, at a rank whose peer is `peer`.
    [[nodiscard]] Transfer transfer(Rank peer, Rank child) const {
        const auto below = tree_.subtree(child);
        return {peer, 0, below.first, below.count};
    }

    Tree tree_;
};

}  // namespace lapwing::simulate

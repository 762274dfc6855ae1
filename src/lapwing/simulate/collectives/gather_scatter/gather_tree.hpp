#pragma once

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// Gather up a tree: a rank sends the blocks of its whole subtree. It receives from one child after
/// another, the last one first, whose subtree is the smallest. `Tree` has each rank's parent and
/// the blocks of each subtree, as `KNomialTree`.
template <class Tree>
class GatherTree final : public Collective {
  public:
    /// `parts`: the blocks that the tree counts.
    GatherTree(Tree tree, Rank ranks, const Parts& parts) : Collective(ranks, parts), tree_(tree) {}

    [[nodiscard]] std::uint32_t steps(Rank rank) const override {
        return tree_.idle(rank) ? 0 : tree_.children(rank) + 1;
    }
    [[nodiscard]] Step step(Rank rank, std::uint32_t step) const override {
        if (step < tree_.children(rank)) return {0, 1};
        return {rank == 0 ? 0U : 1U, 0};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t, std::uint32_t) const override {
        const Rank parent = tree_.parent(rank);
        const auto below = tree_.subtree(rank);
        const std::uint32_t after = tree_.children(parent) - 1 - tree_.place(rank);
        return {parent, after, below.first, below.count};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step, std::uint32_t) const override {
        const Rank child = tree_.child(rank, tree_.children(rank) - 1 - step);
        const auto below = tree_.subtree(child);
        return {child, 0, below.first, below.count};
    }

  private:
    Tree tree_;
};

}  // namespace lapwing::simulate

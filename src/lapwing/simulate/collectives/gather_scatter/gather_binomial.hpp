#pragma once

#include "lapwing/simulate/collectives/collective.hpp"
#include "lapwing/simulate/collectives/trees/binomial_tree.hpp"

namespace lapwing::simulate {

/// Gather up a binomial tree: a rank sends the blocks of its whole subtree. It receives from one
/// child after another, small subtrees first, as MPIs do.
class GatherBinomial final : public Collective {
  public:
    /// `parts`: block i is rank i's.
    GatherBinomial(Rank ranks, const Parts& parts) : Collective(ranks, parts), tree_{ranks} {}

    [[nodiscard]] std::uint32_t steps(Rank rank) const override { return tree_.children(rank) + 1; }
    [[nodiscard]] Step step(Rank rank, std::uint32_t step) const override {
        if (step < tree_.children(rank)) return {0, 1};
        return {rank == 0 ? 0U : 1U, 0};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t, std::uint32_t) const override {
        return {BinomialTree::parent(rank), BinomialTree::turn(rank), rank, tree_.subtree(rank)};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step, std::uint32_t) const override {
        const Rank child = tree_.child(rank, tree_.children(rank) - 1 - step);
        return {child, 0, child, tree_.subtree(child)};
    }

  private:
    BinomialTree tree_;
};

}  // namespace lapwing::simulate

#pragma once

#include "lapwing/simulate/collectives/binomial_tree.hpp"
#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// Gather up a binomial tree: a rank sends the blocks of its whole subtree.
class GatherBinomial final : public Collective {
  public:
    /// `parts`: block i is rank i's.
    GatherBinomial(Rank ranks, const Parts& parts) : Collective(ranks, parts), tree_{ranks} {}

    [[nodiscard]] std::uint32_t steps(Rank) const override { return 2; }
    [[nodiscard]] Step step(Rank rank, std::uint32_t step) const override {
        if (step == 0) return {0, tree_.children(rank)};
        return {rank == 0 ? 0U : 1U, 0};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t, std::uint32_t) const override {
        return {BinomialTree::parent(rank), 0, rank, tree_.subtree(rank)};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t, std::uint32_t index) const override {
        const Rank child = tree_.child(rank, tree_.children(rank) - 1 - index);
        return {child, 0, child, tree_.subtree(child)};
    }

  private:
    BinomialTree tree_;
};

}  // namespace lapwing::simulate

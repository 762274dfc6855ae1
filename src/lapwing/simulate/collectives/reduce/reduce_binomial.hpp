#pragma once

#include "lapwing/simulate/collectives/collective.hpp"
#include "lapwing/simulate/collectives/trees/binomial_tree.hpp"

namespace lapwing::simulate {

/// Reduction up a binomial tree: a rank sends once it has received from all its children, one after
/// another, small subtrees first, as MPIs do.
class ReduceBinomial final : public Collective {
  public:
    /// `parts`: the data of a rank, which is never split.
    ReduceBinomial(Rank ranks, const Parts& parts, Effect effect = Effect::combine)
        : Collective(ranks, parts), tree_{ranks}, effect_(effect) {}

    [[nodiscard]] std::uint32_t steps(Rank rank) const override { return tree_.children(rank) + 1; }
    [[nodiscard]] Step step(Rank rank, std::uint32_t step) const override {
        if (step < tree_.children(rank)) return {0, 1};
        return {rank == 0 ? 0U : 1U, 0};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t, std::uint32_t) const override {
        return {BinomialTree::parent(rank), BinomialTree::turn(rank), 0, parts().count(), effect_};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step, std::uint32_t) const override {
        const Rank child = tree_.child(rank, tree_.children(rank) - 1 - step);
        return {child, 0, 0, parts().count(), effect_};
    }

  private:
    BinomialTree tree_;
    Effect effect_;
};

}  // namespace lapwing::simulate

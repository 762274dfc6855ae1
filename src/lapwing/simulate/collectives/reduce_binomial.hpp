#pragma once

#include "lapwing/simulate/collectives/binomial_tree.hpp"
#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// Reduction up a binomial tree: a rank sends when all its children have sent.
class ReduceBinomial final : public Collective {
  public:
    /// `parts`: the data of a rank; it goes whole.
    ReduceBinomial(Rank ranks, const Parts& parts, Effect effect = Effect::combine)
        : Collective(ranks, parts), tree_{ranks}, effect_(effect) {}

    [[nodiscard]] std::uint32_t steps(Rank) const override { return 2; }
    [[nodiscard]] Step step(Rank rank, std::uint32_t step) const override {
        if (step == 0) return {0, tree_.children(rank)};
        return {rank == 0 ? 0U : 1U, 0};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t, std::uint32_t) const override {
        return {BinomialTree::parent(rank), 0, 0, parts().count(), effect_};
    }
    // Small subtrees are done first.
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t, std::uint32_t index) const override {
        const Rank child = tree_.child(rank, tree_.children(rank) - 1 - index);
        return {child, 0, 0, parts().count(), effect_};
    }

  private:
    BinomialTree tree_;
    Effect effect_;
};

}  // namespace lapwing::simulate

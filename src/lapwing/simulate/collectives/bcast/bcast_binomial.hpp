#pragma once

#include "lapwing/simulate/collectives/collective.hpp"
#include "lapwing/simulate/collectives/trees/binomial_tree.hpp"

namespace lapwing::simulate {

/// Broadcast down a binomial tree, the child with the largest subtree first.
class BcastBinomial final : public Collective {
  public:
    /// `parts`: the message, which is never split.
    BcastBinomial(Rank ranks, const Parts& parts, Effect effect = Effect::replace)
        : Collective(ranks, parts), tree_{ranks}, effect_(effect) {}

    [[nodiscard]] std::uint32_t steps(Rank) const override { return 2; }
    [[nodiscard]] Step step(Rank rank, std::uint32_t step) const override {
        if (step == 0) return {0, rank == 0 ? 0U : 1U};
        return {tree_.children(rank), 0};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t, std::uint32_t index) const override {
        return {tree_.child(rank, index), 0, 0, parts().count(), effect_};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t, std::uint32_t) const override {
        return {BinomialTree::parent(rank), 0, 0, parts().count(), effect_};
    }

  private:
    BinomialTree tree_;
    Effect effect_;
};

}  // namespace lapwing::simulate

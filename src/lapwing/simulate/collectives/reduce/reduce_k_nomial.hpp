#pragma once

#include "lapwing/simulate/collectives/collective.hpp"
#include "lapwing/simulate/collectives/trees/k_nomial_tree.hpp"

namespace lapwing::simulate {

/// Reduction up a k-nomial tree: a rank receives from all its children at once, combines, and sends
/// (Open MPI).
class ReduceKNomial final : public Collective {
  public:
    /// `parts`: the data of a rank, which is never split; `radix`: k, at least 2.
    ReduceKNomial(Rank ranks, const Parts& parts, std::uint32_t radix)
        : Collective(ranks, parts), tree_(ranks, radix) {}

    [[nodiscard]] std::uint32_t steps(Rank) const override { return 2; }
    [[nodiscard]] Step step(Rank rank, std::uint32_t step) const override {
        if (step == 0) return {0, tree_.children(rank)};
        return {rank == 0 ? 0U : 1U, 0};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t, std::uint32_t) const override {
        return {tree_.parent(rank), 0, 0, parts().count(), Effect::combine};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t, std::uint32_t index) const override {
        return {tree_.child(rank, index), 0, 0, parts().count(), Effect::combine};
    }

  private:
    KNomialTree tree_;
};

}  // namespace lapwing::simulate

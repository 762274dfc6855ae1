#pragma once

#include <cstdint>

#include "lapwing/simulate/collectives/collective.hpp"
#include "lapwing/simulate/collectives/trees/binomial_tree.hpp"

namespace lapwing::simulate {

/// Scatter down a binomial tree: a rank sends each child the blocks of its whole subtree, one child
/// after another, as MPIs do.
class ScatterBinomial final : public Collective {
  public:
    /// Which child is first: MPICH begins with the largest subtree, Open MPI with the nearest rank.
    enum class First : std::uint8_t { largest, nearest };

    /// `parts`: block i is rank i's.
    ScatterBinomial(Rank ranks, const Parts& parts, First first = First::largest)
        : Collective(ranks, parts), tree_{ranks}, first_(first) {}

    [[nodiscard]] std::uint32_t steps(Rank rank) const override { return 1 + tree_.children(rank); }
    [[nodiscard]] Step step(Rank rank, std::uint32_t step) const override {
        if (step == 0) return {0, rank == 0 ? 0U : 1U};
        return {1, 0};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t) const override {
        const bool largest = first_ == First::largest;
        const Rank child = tree_.child(rank, largest ? step - 1 : tree_.children(rank) - step);
        return {child, 0, child, tree_.subtree(child)};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t, std::uint32_t) const override {
        return {BinomialTree::parent(rank), 0, rank, tree_.subtree(rank)};
    }

  private:
    BinomialTree tree_;
    First first_;
};

}  // namespace lapwing::simulate

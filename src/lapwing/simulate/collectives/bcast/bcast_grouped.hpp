#pragma once

#include <algorithm>

#include "lapwing/simulate/collectives/collective.hpp"
#include "lapwing/simulate/collectives/trees/binomial_tree.hpp"

namespace lapwing::simulate {

/// Broadcast down a binomial tree of the first ranks of all groups. Each then sends to every rank
/// of its group. This is MPICH's hybrid, as Cameron, Ge and Sun (2007) describe it. With one group
/// it is linear, with groups of one rank it is binomial.
class BcastGrouped final : public Collective {
  public:
    /// `bytes`: of the whole message; `group`: how many consecutive ranks are one, at least 1.
    BcastGrouped(Rank ranks, std::uint64_t bytes, Rank group)
        : Collective(ranks, Parts::equal(bytes, 1)),
          group_(group),
          tree_{ranks / group + (ranks % group == 0 ? 0 : 1)} {}

    [[nodiscard]] std::uint32_t steps(Rank) const override { return 3; }
    [[nodiscard]] Step step(Rank rank, std::uint32_t step) const override {
        if (step == 0) return {0, rank == 0 ? 0U : 1U};
        if (rank % group_ != 0) return {};
        return {step == 1 ? tree_.children(rank / group_) : std::min(group_, ranks() - rank) - 1,
                0};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t index) const override {
        return {step == 1 ? tree_.child(rank / group_, index) * group_ : rank + 1 + index, 0, 0, 1};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t, std::uint32_t) const override {
        const Rank within = rank % group_;
        const Rank from =
            within == 0 ? BinomialTree::parent(rank / group_) * group_ : rank - within;
        return {from, 0, 0, 1};
    }

  private:
    Rank group_;
    BinomialTree tree_;
};

}  // namespace lapwing::simulate

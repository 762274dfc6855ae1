#pragma once

#include "lapwing/simulate/collectives/binomial_tree.hpp"
#include "lapwing/simulate/collectives/folded.hpp"

namespace lapwing::simulate {

/// The first half of a reduction for long messages: by recursive halving each core comes to the sum
/// of its part. The root is a core, so even ranks are (MPICH).
class ReduceToCores final : public Folded {
  public:
    /// `parts`: the data of a rank, block i for core i.
    ReduceToCores(Rank ranks, const Parts& parts) : Folded(ranks, parts, CoreOf::even) {}

  protected:
    [[nodiscard]] std::uint32_t rounds() const override { return cores().levels(); }
    [[nodiscard]] Rank distance(std::uint32_t round) const override {
        return Rank{1} << (cores().levels() - 1 - round);
    }
    [[nodiscard]] Span exchanged(Rank core, std::uint32_t round) const override {
        const Rank size = distance(round);
        return {std::uint64_t{(core ^ size) / size} * size, size, Effect::combine};
    }
    [[nodiscard]] Span handed_over(Rank) const override {
        return {0, parts().count(), Effect::combine};
    }
    [[nodiscard]] Span handed_back(Rank) const override { return {}; }
    [[nodiscard]] bool gives_back() const override { return false; }
};

/// The second half: the parts go up a binomial tree of the cores.
class GatherFromCores final : public Collective {
  public:
    /// `parts`: block i is core i's.
    GatherFromCores(Rank ranks, const Parts& parts)
        : Collective(ranks, parts), cores_(ranks, CoreOf::even), tree_{cores_.count()} {}

    [[nodiscard]] std::uint32_t steps(Rank rank) const override {
        return cores_.idle(rank) ? 0 : tree_.children(cores_.core_of(rank)) + 1;
    }
    [[nodiscard]] Step step(Rank rank, std::uint32_t step) const override {
        if (step < tree_.children(cores_.core_of(rank))) return {0, 1};
        return {rank == 0 ? 0U : 1U, 0};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t, std::uint32_t) const override {
        const Rank core = cores_.core_of(rank);
        return {cores_.rank_of(BinomialTree::parent(core)), BinomialTree::turn(core), core,
                tree_.subtree(core)};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step, std::uint32_t) const override {
        const Rank core = cores_.core_of(rank);
        const Rank child = tree_.child(core, tree_.children(core) - 1 - step);
        return {cores_.rank_of(child), 0, child, tree_.subtree(child)};
    }

  private:
    Cores cores_;
    BinomialTree tree_;
};

}  // namespace lapwing::simulate

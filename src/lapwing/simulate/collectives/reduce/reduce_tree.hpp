#pragma once

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// Reduction up a tree, segment by segment: a rank combines a segment with those of its children,
/// one after another, and passes it on. The receive of the next message is posted meanwhile (Open
/// MPI). `Tree` has each rank's parent, as `BinaryTree`.
template <class Tree>
class ReduceTree final : public Collective {
  public:
    /// `bytes`: the data of a rank, in `segments` segments.
    ReduceTree(Tree tree, Rank ranks, std::uint64_t bytes, std::uint32_t segments)
        : Collective(ranks, Parts::split(bytes, segments)), tree_(tree), segments_(segments) {}

    [[nodiscard]] std::uint32_t steps(Rank rank) const override {
        const std::uint32_t children = tree_.children(rank);
        return children == 0 ? segments_ : segments_ * children + 1;
    }
    [[nodiscard]] Step step(Rank rank, std::uint32_t step) const override {
        const std::uint32_t children = tree_.children(rank);
        const bool root = rank == tree_.root();
        if (children == 0) return {root ? 0U : 1U, 0};
        const std::uint32_t receives = segments_ * children;
        return {.sends = !root && step > 0 && step % children == 0 ? 1U : 0U,
                .receives = step < receives ? 1U : 0U,
                .alternating = false,
                .ahead = step + 1 < receives};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t) const override {
        const std::uint32_t children = tree_.children(rank);
        const std::uint32_t segment = children == 0 ? step : step / children - 1;
        const Rank parent = tree_.parent(rank);
        return {parent, segment * tree_.children(parent) + tree_.place(rank), segment, 1,
                Effect::combine};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step, std::uint32_t) const override {
        const std::uint32_t children = tree_.children(rank);
        return {tree_.child(rank, step % children), 0, step / children, 1, Effect::combine};
    }

  private:
    Tree tree_;
    std::uint32_t segments_;
};

}  // namespace lapwing::simulate

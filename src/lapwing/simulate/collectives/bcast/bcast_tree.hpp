#pragma once

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// Broadcast down a tree, segment by segment: a rank passes each on to all its children at once,
/// while it receives the next one (Open MPI). `Tree` has each rank's parent, as `BinaryTree`; its
/// root is rank 0.
template <class Tree>
class BcastTree final : public Collective {
  public:
    /// `bytes`: of the whole message, in `segments` segments.
    BcastTree(Tree tree, Rank ranks, std::uint64_t bytes, std::uint32_t segments)
        : Collective(ranks, Parts::split(bytes, segments)), tree_(tree), segments_(segments) {}

    [[nodiscard]] std::uint32_t steps(Rank rank) const override {
        return segments_ + (rank == 0 ? 0 : 1);
    }
    [[nodiscard]] Step step(Rank rank, std::uint32_t step) const override {
        const std::uint32_t children = tree_.children(rank);
        if (rank == 0) return {children, 0};
        return {.sends = step > 0 ? children : 0,
                .receives = step < segments_ ? 1U : 0U,
                .alternating = false,
                .ahead = step + 1 < segments_};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t index) const override {
        const std::uint32_t segment = step - (rank == 0 ? 0 : 1);
        return {tree_.child(rank, index), segment, segment, 1};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step, std::uint32_t) const override {
        return {tree_.parent(rank), 0, step, 1};
    }

  private:
    Tree tree_;
    std::uint32_t segments_;
};

}  // namespace lapwing::simulate

#pragma once

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// Half of the message goes down each half of a binary tree, segment by segment; then each rank and
/// its counterpart in the other half exchange (Open MPI's split binary). If the left half has a
/// rank more, that gets its other half from the root.
class BcastSplitBinary final : public Collective {
  public:
    /// `bytes`: of the whole message, each half in `segments` segments.
    BcastSplitBinary(Rank ranks, std::uint64_t bytes, std::uint32_t segments)
        : Collective(ranks, Parts::split(bytes, 2 * std::uint64_t{segments})),
          segments_(segments),
          left_(ranks / 2),
          right_(ranks - 1 - left_) {}

    [[nodiscard]] std::uint32_t steps(Rank) const override { return segments_ + 2; }
    [[nodiscard]] Step step(Rank rank, std::uint32_t step) const override {
        if (rank == 0) {
            if (step < segments_) return {(left_ > 0 ? 1U : 0U) + (right_ > 0 ? 1U : 0U), 0};
            return {step == segments_ && left_ > right_ ? 1U : 0U, 0};
        }
        if (step == segments_ + 1) return {alone(rank) ? 0U : 1U, 1};
        const std::uint32_t sends = step == 0 ? 0 : children(rank);
        return {sends, step < segments_ ? 1U : 0U};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t index) const override {
        if (rank == 0) {
            if (step == segments_) return {left_, segments_ + 1, segments_, segments_};
            return {index == 0 ? 1 : 1 + left_, step, index * segments_ + step, 1};
        }
        if (step == segments_ + 1)
            return {counterpart(rank), segments_ + 1, first_segment(rank), segments_};
        const Rank child = base(rank) + 2 * (rank - base(rank)) + 1 + index;
        return {child, step - 1, first_segment(rank) + step - 1, 1};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step, std::uint32_t) const override {
        if (step == segments_ + 1) {
            const std::uint64_t other = segments_ - first_segment(rank);
            return {alone(rank) ? 0 : counterpart(rank), 0, other, segments_};
        }
        const Rank place = rank - base(rank);
        return {place == 0 ? 0 : base(rank) + (place - 1) / 2, 0, first_segment(rank) + step, 1};
    }

  private:
    // The left half of the tree is ranks 1 to left_, the right half the rest; in each, the children
    // of the i-th are the 2i+1-th and the 2i+2-th.
    [[nodiscard]] bool is_left(Rank rank) const { return rank <= left_; }
    [[nodiscard]] Rank base(Rank rank) const { return is_left(rank) ? 1 : 1 + left_; }
    [[nodiscard]] std::uint32_t children(Rank rank) const {
        const Rank size = is_left(rank) ? left_ : right_;
        const Rank first = 2 * (rank - base(rank)) + 1;
        return first >= size ? 0 : (first + 1 < size ? 2 : 1);
    }
    [[nodiscard]] std::uint64_t first_segment(Rank rank) const {
        return is_left(rank) ? 0 : segments_;
    }
    [[nodiscard]] bool alone(Rank rank) const { return rank == left_ && left_ > right_; }
    [[nodiscard]] Rank counterpart(Rank rank) const {
        return is_left(rank) ? rank + left_ : rank - left_;
    }

    std::uint32_t segments_;
    Rank left_;
    Rank right_;
};

}  // namespace lapwing::simulate

#pragma once

#include <bit>
#include <cstdint>

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// Half of the message goes down each half of a binary tree, segment by segment. Then each rank
/// exchanges halves with its counterpart in the other half of the tree (Open MPI's split binary).
/// If the number of ranks is even, the last one has no counterpart, and the root sends it the rest.
class BcastSplitBinary final : public Collective {
  public:
    /// `bytes`: of the whole message, of which each half is in `segments` segments.
    BcastSplitBinary(Rank ranks, std::uint64_t bytes, std::uint32_t segments)
        : Collective(ranks, Parts::split(bytes, 2 * std::uint64_t{segments})),
          segments_(segments) {}

    [[nodiscard]] std::uint32_t steps(Rank) const override { return segments_ + 2; }
    [[nodiscard]] Step step(Rank rank, std::uint32_t step) const override {
        if (rank == 0) {
            if (step < segments_) return {children(0), 0};
            return {step == segments_ && alone(ranks() - 1) ? 1U : 0U, 0};
        }
        if (step == segments_ + 1) return {alone(rank) ? 0U : 1U, 1};
        const std::uint32_t sends = step == 0 ? 0 : children(rank);
        const bool receives = step < segments_;
        // Ranks that pass segments on have two buffers.
        return {.sends = sends,
                .receives = receives ? 1U : 0U,
                .alternating = false,
                .ahead = step + 1 < segments_ && children(rank) > 0};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t index) const override {
        if (rank == 0) {
            if (step == segments_) return {ranks() - 1, segments_ + 1, segments_, segments_};
            return {1 + index, step, index * segments_ + step, 1};
        }
        if (step == segments_ + 1)
            return {counterpart(rank), segments_ + 1, first_segment(rank), segments_};
        const Rank child = rank + ((index + 1) << level(rank));
        return {child, step - 1, first_segment(rank) + step - 1, 1};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step, std::uint32_t) const override {
        if (step == segments_ + 1) {
            const std::uint64_t other = segments_ - first_segment(rank);
            return {alone(rank) ? 0 : counterpart(rank), 0, other, segments_};
        }
        return {parent(rank), 0, first_segment(rank) + step, 1};
    }

  private:
    // Level l of the tree begins with rank 2^l - 1; rank r of that level has the children r + 2^l
    // and r + 2^(l+1). So the odd ranks are the half below rank 1, the even ones the half below
    // rank 2.
    static unsigned level(Rank rank) { return static_cast<unsigned>(std::bit_width(rank + 1)) - 1; }
    [[nodiscard]] std::uint32_t children(Rank rank) const {
        const std::uint64_t first = rank + (std::uint64_t{1} << level(rank));
        const std::uint64_t second = rank + (std::uint64_t{2} << level(rank));
        return (first < ranks() ? 1U : 0U) + (second < ranks() ? 1U : 0U);
    }
    static Rank parent(Rank rank) {
        const Rank above = Rank{1} << (level(rank) - 1);
        return level(rank - above) < level(rank) ? rank - above : rank - 2 * above;
    }
    [[nodiscard]] std::uint64_t first_segment(Rank rank) const {
        return rank % 2 == 1 ? 0 : segments_;
    }
    [[nodiscard]] bool alone(Rank rank) const { return rank % 2 == 1 && rank + 1 == ranks(); }
    static Rank counterpart(Rank rank) { return rank % 2 == 1 ? rank + 1 : rank - 1; }

    std::uint32_t segments_;
};

}  // namespace lapwing::simulate

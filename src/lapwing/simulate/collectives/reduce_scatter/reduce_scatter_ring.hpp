#pragma once

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// Each block travels around the ring, is combined with each rank's, and ends at its rank.
class ReduceScatterRing final : public Collective {
  public:
    /// `parts`: the data of a rank; block i ends at rank i. `two_buffers`: a block may arrive
    /// while the one before it is combined and sent (Open MPI's reduce_scatter).
    ReduceScatterRing(Rank ranks, const Parts& parts, bool two_buffers)
        : Collective(ranks, parts), two_buffers_(two_buffers) {}

    [[nodiscard]] std::uint32_t steps(Rank) const override { return ranks() - 1; }
    [[nodiscard]] Step step(Rank, std::uint32_t step) const override {
        return {.sends = 1,
                .receives = 1,
                .alternating = false,
                .ahead = two_buffers_ && step + 2 < ranks()};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t) const override {
        return {after(rank, 1), step, before(rank, step + 1), 1, Effect::combine};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step, std::uint32_t) const override {
        return {before(rank, 1), 0, before(before(rank, 1), step + 1), 1, Effect::combine};
    }

  private:
    bool two_buffers_;
};

}  // namespace lapwing::simulate

#pragma once

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// Each rank passes the message on to the next rank, segment by segment: it sends a segment while
/// it receives the next one. With one segment this is the chain.
class BcastPipelined final : public Collective {
  public:
    /// `bytes`: of the whole message, in `segments` segments.
    BcastPipelined(Rank ranks, std::uint64_t bytes, std::uint32_t segments)
        : Collective(ranks, Parts::split(bytes, segments)), segments_(segments) {}

    [[nodiscard]] std::uint32_t steps(Rank) const override { return segments_ + 1; }
    // The root has the first segment from the start. Every other rank receives a segment in each
    // step but the last, and sends it in the next step.
    [[nodiscard]] Step step(Rank rank, std::uint32_t step) const override {
        const bool last = rank + 1 == ranks();
        return {!last && step > 0 ? 1U : 0U, rank > 0 && step < segments_ ? 1U : 0U};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t) const override {
        return {rank + 1, step - 1, step - 1, 1};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step, std::uint32_t) const override {
        return {rank - 1, 0, step, 1};
    }

  private:
    std::uint32_t segments_;
};

}  // namespace lapwing::simulate

#pragma once

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// The ring in phases (Open MPI): a segment of each block travels around the ring, combined with
/// each rank's, and then the next segment. In the end whole blocks go round. With one phase it is
/// the ring.
class AllreduceSegmentedRing final : public Collective {
  public:
    /// `bytes`: the data of a rank, in a block for each rank; `phases`: segments of a block.
    AllreduceSegmentedRing(Rank ranks, std::uint64_t bytes, std::uint32_t phases)
        : Collective(ranks, Parts::split(bytes, std::uint64_t{ranks} * phases)), phases_(phases) {}

    [[nodiscard]] std::uint32_t steps(Rank) const override { return (phases_ + 1) * (ranks() - 1); }
    [[nodiscard]] Step step(Rank, std::uint32_t) const override { return {1, 1}; }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t) const override {
        return transfer(after(rank, 1), step, rank, step);
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step, std::uint32_t) const override {
        return transfer(before(rank, 1), 0, before(rank, 1), step);
    }

  private:
    /// What `sender` sends in `step`, at a rank whose peer is `peer`.
    [[nodiscard]] Transfer transfer(Rank peer, std::uint32_t key, Rank sender,
                                    std::uint32_t step) const {
        const std::uint32_t phase = step / (ranks() - 1);
        const Rank hop = step % (ranks() - 1);
        if (phase == phases_)
            return {peer, key, std::uint64_t{before(sender, hop)} * phases_, phases_};
        const std::uint64_t block = before(sender, hop + 1);
        return {peer, key, block * phases_ + phase, 1, Effect::combine};
    }

    std::uint32_t phases_;
};

}  // namespace lapwing::simulate

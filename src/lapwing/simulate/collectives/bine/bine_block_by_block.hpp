#pragma once

#include "lapwing/simulate/collectives/bine/bine.hpp"
#include "lapwing/simulate/collectives/collective.hpp"
#include "lapwing/simulate/collectives/powers.hpp"

namespace lapwing::simulate {

/// The Bine butterfly with a message for each block, which needs neither a copy nor an exchange
/// that makes blocks consecutive (`block_by_block` of De Sensi et al. 2025). For powers of two of
/// ranks.
class BineBlockByBlock final : public Collective {
  public:
    enum class Kind : std::uint8_t { allgather, reduce_scatter };

    /// `parts`: block i is rank i's; all are of one size.
    BineBlockByBlock(Rank ranks, const Parts& parts, Kind kind)
        : Collective(ranks, parts), bine_(floor_log2(ranks)), kind_(kind) {}

    [[nodiscard]] std::uint32_t steps(Rank) const override { return bine_.levels(); }
    [[nodiscard]] Step step(Rank, std::uint32_t step) const override {
        const std::uint32_t blocks = ranks() >> (butterfly_step(step) + 1);
        return {blocks, blocks, true};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t index) const override {
        return transfer(bine_.partner(rank, butterfly_step(step)), step, rank, step, index);
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step,
                                    std::uint32_t index) const override {
        const Rank partner = bine_.partner(rank, butterfly_step(step));
        return transfer(partner, 0, partner, step, index);
    }

  private:
    [[nodiscard]] std::uint32_t butterfly_step(std::uint32_t step) const {
        return kind_ == Kind::allgather ? bine_.levels() - 1 - step : step;
    }
    /// The `index`-th block that `sender` sends in `step`, at a rank whose peer is `peer`.
    [[nodiscard]] Transfer transfer(Rank peer, std::uint32_t key, Rank sender, std::uint32_t step,
                                    std::uint32_t index) const {
        const std::uint32_t size = bine_.levels() - 1 - butterfly_step(step);
        const bool gathering = kind_ == Kind::allgather;
        const Rank of = gathering ? sender : bine_.partner(sender, butterfly_step(step));
        const Rank first = bine_.position(of) >> size << size;
        return {peer, key, bine_.core_at(first + index), 1,
                gathering ? Effect::replace : Effect::combine};
    }

    Bine bine_;
    Kind kind_;
};

}  // namespace lapwing::simulate

#pragma once

#include "lapwing/simulate/collectives/bine/bine.hpp"
#include "lapwing/simulate/collectives/collective.hpp"
#include "lapwing/simulate/collectives/powers.hpp"

namespace lapwing::simulate {

/// Blocks change places between their ranks and the ranks at their Bine positions, each in one
/// message, so that those of a group of the butterfly are consecutive. For powers of two of ranks.
class BineExchange final : public Collective {
  public:
    /// Where blocks go: block i from rank i to the rank whose position is i, or back from there.
    enum class To : std::uint8_t { positions, ranks };

    BineExchange(Rank ranks, const Parts& parts, To to)
        : Collective(ranks, parts), bine_(floor_log2(ranks)), to_(to) {}

    [[nodiscard]] std::uint32_t steps(Rank) const override { return 1; }
    [[nodiscard]] Step step(Rank rank, std::uint32_t) const override {
        return bine_.position(rank) == rank ? Step{} : Step{1, 1};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t, std::uint32_t) const override {
        if (to_ == To::positions) return {bine_.core_at(rank), 0, rank, 1};
        return {bine_.position(rank), 0, bine_.position(rank), 1};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t, std::uint32_t) const override {
        if (to_ == To::positions) return {bine_.position(rank), 0, bine_.position(rank), 1};
        return {bine_.core_at(rank), 0, rank, 1};
    }

  private:
    Bine bine_;
    To to_;
};

}  // namespace lapwing::simulate

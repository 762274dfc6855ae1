#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "lapwing/simulate/collectives/collective.hpp"
#include "lapwing/simulate/program/schedule.hpp"

namespace lapwing::replay {

using simulate::Rank;
using simulate::Receive;
using simulate::Send;
using simulate::Step;

/// What one rank does in a collective, step by step. Ranks are those of its communicator.
class RankSteps {
  public:
    RankSteps() = default;
    RankSteps(const RankSteps&) = delete;
    RankSteps& operator=(const RankSteps&) = delete;
    virtual ~RankSteps() = default;

    [[nodiscard]] virtual std::uint32_t steps() const = 0;
    [[nodiscard]] virtual Step step(std::uint32_t step) const = 0;
    [[nodiscard]] virtual Send send(std::uint32_t step, std::uint32_t index) const = 0;
    [[nodiscard]] virtual Receive receive(std::uint32_t step, std::uint32_t index) const = 0;
    /// Whether each send is followed by a receive, of which there are as many.
    [[nodiscard]] virtual bool interleaved() const { return false; }
};

/// A rank's part of one of the engine's collectives, whose root is rank `root`.
class CollectiveSteps final : public RankSteps {
  public:
    CollectiveSteps(std::shared_ptr<const simulate::Collective> collective, Rank rank, Rank root)
        : collective_(std::move(collective)), root_(root), rank_(away(rank)) {}

    [[nodiscard]] std::uint32_t steps() const override { return collective_->steps(rank_); }
    [[nodiscard]] Step step(std::uint32_t step) const override {
        return collective_->step(rank_, step);
    }
    [[nodiscard]] Send send(std::uint32_t step, std::uint32_t index) const override {
        Send send = collective_->send(rank_, step, index);
        send.to = back(send.to);
        return send;
    }
    [[nodiscard]] Receive receive(std::uint32_t step, std::uint32_t index) const override {
        Receive receive = collective_->receive(rank_, step, index);
        receive.from = back(receive.from);
        return receive;
    }

  private:
    /// Ranks are counted from the root on.
    [[nodiscard]] Rank away(Rank rank) const {
        return rank >= root_ ? rank - root_ : rank + (collective_->ranks() - root_);
    }
    [[nodiscard]] Rank back(Rank rank) const {
        const Rank after = collective_->ranks() - root_;
        return rank < after ? rank + root_ : rank - after;
    }

    std::shared_ptr<const simulate::Collective> collective_;
    Rank root_;
    Rank rank_;
};

}  // namespace lapwing::replay

#pragma once

#include <algorithm>

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// Each rank sends to the rank before it, then to the one before that, and so on, and receives from
/// the other side. It starts `window` messages at once and waits for all of them; with all messages
/// in one window this is the linear all-to-all. Peers have the order of Open MPI and MPICH.
class AlltoallStaggered final : public Collective {
  public:
    /// `bytes`: from each rank to each; `window`: messages at once each way, at least 1. The block
    /// from rank s to rank d is s P + d.
    AlltoallStaggered(Rank ranks, std::uint64_t bytes, Rank window)
        : Collective(ranks, Parts::equal(bytes, std::uint64_t{ranks} * ranks)), window_(window) {}

    [[nodiscard]] std::uint32_t steps(Rank) const override {
        return (ranks() - 1 + (window_ - 1)) / window_;
    }
    [[nodiscard]] Step step(Rank, std::uint32_t step) const override {
        const Rank count = std::min(window_, ranks() - 1 - step * window_);
        return {count, count, true};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t index) const override {
        const Rank to = before(rank, step * window_ + index + 1);
        return {to, step, std::uint64_t{rank} * ranks() + to, 1};
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step,
                                    std::uint32_t index) const override {
        const Rank from = after(rank, step * window_ + index + 1);
        return {from, 0, std::uint64_t{from} * ranks() + rank, 1};
    }

  private:
    Rank window_;
};

}  // namespace lapwing::simulate

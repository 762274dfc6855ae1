#pragma once

#include <cstdint>
#include <vector>

#include "lapwing/replay/rank_steps.hpp"

namespace lapwing::replay {

/// A rank's part of a collective whose blocks differ: all messages at once, each from its owner to
/// the rank that wants it.
class BlockSteps final : public RankSteps {
  public:
    /// Nothing yet, of a rank among `size`.
    BlockSteps(Rank rank, Rank size) : rank_(rank), size_(size) {}

    /// Sends to every other rank what `blocks` says of it, bytes, and receives from every other.
    void exchange(std::vector<std::uint64_t> blocks);
    /// Sends `bytes` to every other rank, and receives from every other; `interleaved`: from each
    /// after it has sent to it, instead of posting all receives first.
    void send_to_all(std::uint64_t bytes, bool interleaved = false);
    /// Sends `bytes` to `root`; that receives from every other rank.
    void gather(Rank root, std::uint64_t bytes);
    /// `root` sends what its `blocks` say; every other rank receives.
    void scatter(Rank root, std::vector<std::uint64_t> blocks);
    /// Sends `bytes` to every higher rank, and receives from every lower one.
    void send_upwards(std::uint64_t bytes);

    [[nodiscard]] std::uint32_t steps() const override { return 1; }
    [[nodiscard]] Step step(std::uint32_t) const override {
        // All receives are posted first, as MPI libraries do.
        return {.sends = to_.count(), .receives = from_.count(), .alternating = true};
    }
    [[nodiscard]] Send send(std::uint32_t, std::uint32_t index) const override;
    [[nodiscard]] Receive receive(std::uint32_t, std::uint32_t index) const override {
        return {.from = from_.rank(index, rank_)};
    }

    [[nodiscard]] bool interleaved() const override { return interleaved_; }

  private:
    /// Consecutive ranks, without the caller.
    struct Others {
        Rank first = 0;
        Rank end = 0;
        bool without_self = false;  ///< the caller is among them

        [[nodiscard]] std::uint32_t count() const { return end - first - (without_self ? 1 : 0); }
        [[nodiscard]] Rank rank(std::uint32_t index, Rank self) const {
            const Rank rank = first + index;
            return without_self && rank >= self ? rank + 1 : rank;
        }
    };
    [[nodiscard]] Others all() const { return {0, size_, true}; }

    Rank rank_;
    Rank size_;
    Others to_;
    Others from_;
    std::vector<std::uint64_t> blocks_;  ///< empty: all have `bytes_`
    std::uint64_t bytes_ = 0;
    bool interleaved_ = false;
};

/// Each rank receives from the one before it, and sends to the next one.
class ChainSteps final : public RankSteps {
  public:
    ChainSteps(Rank rank, Rank size, std::uint64_t bytes)
        : rank_(rank), size_(size), bytes_(bytes) {}

    [[nodiscard]] std::uint32_t steps() const override { return 2; }
    [[nodiscard]] Step step(std::uint32_t step) const override {
        if (step == 0) return {.receives = rank_ > 0 ? 1U : 0U};
        return {.sends = rank_ + 1 < size_ ? 1U : 0U};
    }
    [[nodiscard]] Send send(std::uint32_t, std::uint32_t) const override {
        return {.to = rank_ + 1, .bytes = bytes_, .key = 0};
    }
    [[nodiscard]] Receive receive(std::uint32_t, std::uint32_t) const override {
        return {.from = rank_ - 1, .bytes = bytes_};
    }

  private:
    Rank rank_;
    Rank size_;
    std::uint64_t bytes_;
};

}  // namespace lapwing::replay

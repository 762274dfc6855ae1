#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "lapwing/simulate/collectives/parts.hpp"
#include "lapwing/simulate/program/schedule.hpp"

namespace lapwing::simulate {

/// What a block that arrives does to the receiver's block.
enum class Effect : std::uint8_t {
    replace,  ///< replaces it
    combine,  ///< is combined with it, which must happen once
    learn     ///< is a set of ranks heard of, which may overlap
};

/// A message of a collective, at either end.
struct Transfer {
    Rank peer = 0;
    std::uint32_t key = 0;    ///< the receiver's step; only set at the sender
    std::uint64_t first = 0;  ///< it carries `count` blocks from this one on, cyclically
    std::uint64_t count = 0;
    Effect effect = Effect::replace;
};

/// An algorithm for a collective operation: a `Schedule` that knows the blocks of each message, so
/// that a test can execute it on data. The root is rank 0.
class Collective {
  public:
    virtual ~Collective() = default;
    Collective(const Collective&) = delete;
    Collective& operator=(const Collective&) = delete;

    [[nodiscard]] Rank ranks() const { return ranks_; }
    /// The blocks of the data, and their sizes.
    [[nodiscard]] const Parts& parts() const { return parts_; }

    [[nodiscard]] virtual std::uint32_t steps(Rank rank) const = 0;
    [[nodiscard]] virtual Step step(Rank rank, std::uint32_t step) const = 0;
    /// The `index`-th message that `rank` sends in `step`, and the one that it receives.
    [[nodiscard]] virtual Transfer sent(Rank rank, std::uint32_t step,
                                        std::uint32_t index) const = 0;
    [[nodiscard]] virtual Transfer received(Rank rank, std::uint32_t step,
                                            std::uint32_t index) const = 0;
    /// The blocks of a message that is sent.
    [[nodiscard]] virtual std::vector<std::uint64_t> blocks(Rank rank, std::uint32_t step,
                                                            std::uint32_t index) const {
        const Transfer transfer = sent(rank, step, index);
        std::vector<std::uint64_t> blocks(transfer.count);
        for (std::uint64_t i = 0; i < transfer.count; ++i)
            blocks[i] = (transfer.first + i) % parts_.count();
        return blocks;
    }

    [[nodiscard]] Send send(Rank rank, std::uint32_t step, std::uint32_t index) const {
        const Transfer out = sent(rank, step, index);
        return {out.peer, parts_.bytes(out.first, out.count), out.key};
    }
    [[nodiscard]] Receive receive(Rank rank, std::uint32_t step, std::uint32_t index) const {
        const Transfer in = received(rank, step, index);
        return {in.peer, parts_.bytes(in.first, in.count)};
    }

  protected:
    Collective(Rank ranks, Parts parts) : ranks_(ranks), parts_(std::move(parts)) {}

    /// The rank `distance` after `rank`, and the one before it; `distance` is less than `ranks()`.
    [[nodiscard]] Rank after(Rank rank, Rank distance) const {
        return rank < ranks_ - distance ? rank + distance : rank - (ranks_ - distance);
    }
    [[nodiscard]] Rank before(Rank rank, Rank distance) const {
        return rank >= distance ? rank - distance : rank + (ranks_ - distance);
    }

  private:
    Rank ranks_;
    Parts parts_;
};

}  // namespace lapwing::simulate

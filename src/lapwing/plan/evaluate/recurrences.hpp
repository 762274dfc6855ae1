#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lapwing/model/stream.hpp"
#include "lapwing/plan/costs/workload_costs.hpp"
#include "lapwing/plan/messages.hpp"
#include "lapwing/simulate/costs/timings.hpp"
#include "lapwing/simulate/recurrence/representative_rank.hpp"

namespace lapwing {

/// How long a one-way stream takes: each message is issued, carried and received after the one
/// before it, in closed form for a run of equal messages. A producer is a receiver with time
/// reversed.
///
/// Measured times take the place of lines where they differ: the gaps of a flood, by size, and the
/// exposed times of a receiver that computes. Where a short eager message overtakes a longer one
/// that waits for its receive, so it does here, if it follows it.
class StreamRecurrence {
  public:
    /// `costs` outlives this.
    explicit StreamRecurrence(const RankCosts& costs);

    /// The costs as those of who receives.
    [[nodiscard]] const model::Stream& line() const { return line_; }
    /// Sizes at which messages were measured, bytes, where lines do not tell; empty where they do.
    [[nodiscard]] const std::vector<std::uint64_t>& measured_sizes() const {
        return flood_.sizes.empty() ? received_.sizes : flood_.sizes;
    }
    /// Seconds that no choice of messages can beat, with the wire as fast as for any size.
    [[nodiscard]] double lower_bound() const;
    /// Messages longer than this, bytes, are overtaken by those that are not; 0: none is.
    [[nodiscard]] std::uint64_t overtaken_above() const { return overtaken_above_; }

    /// How long a sender waits from one initiation to the next, seconds per byte: messages that
    /// share the wire arrive one after another then. 0: it does not.
    [[nodiscard]] double pace(std::span<const MessageRun> runs) const;

    /// Seconds until the last message is made and received, or received and consumed.
    [[nodiscard]] double seconds(const Messages& messages) const;
    /// Seconds until a receiver has consumed them and their sender knows of their arrival, whatever
    /// the workload's direction.
    [[nodiscard]] double receiver_seconds(std::span<const MessageRun> runs) const;
    [[nodiscard]] double receiver_seconds(const Messages& messages) const {
        return receiver_seconds(std::span(messages.runs()));
    }
    /// The same of all `volume` bytes in messages of `size` bytes each.
    [[nodiscard]] double receiver_seconds(std::uint64_t volume, std::uint64_t size) const {
        const std::array<MessageRun, 2> runs{{{size, volume / size}, {volume % size, 1}}};
        return receiver_seconds(std::span(runs).first(volume % size > 0 ? 2 : 1));
    }

  private:
    /// The line of these messages: where they are more than the largest window, the next of a
    /// window's messages waits until the first is acknowledged.
    [[nodiscard]] model::Stream line_of(std::span<const MessageRun> runs) const;

    const RankCosts& costs_;
    model::Stream line_;
    double acknowledgement_ = 0;  ///< that a sender waits for, seconds
    simulate::Timings flood_;
    simulate::Timings received_;
    std::uint64_t overtaken_above_ = 0;
};

/// How long a rank takes for its messages whose partners are always ready: the recurrence of one
/// rank that stands for all (`simulate::RepresentativeRank`). Knows of other ranks only that they
/// get out of step.
class RankRecurrence {
  public:
    /// `costs` outlives this.
    explicit RankRecurrence(const RankCosts& costs);

    /// Seconds of `messages` with each peer, `window` of them in flight.
    [[nodiscard]] double seconds(const Messages& messages, int window) const;
    /// Seconds of one message with each peer, all in flight at once.
    [[nodiscard]] double unsplit_seconds() const {
        return run(std::vector(costs_.peers, static_cast<double>(costs_.bytes_per_peer)), 1,
                   costs_.peers);
    }

  private:
    /// Seconds of messages of `sizes` bytes, `each` of them with each peer.
    [[nodiscard]] double run(const std::vector<double>& sizes, std::size_t each,
                             std::size_t window) const;

    const RankCosts& costs_;
    simulate::RepresentativeRank rank_;
};

}  // namespace lapwing

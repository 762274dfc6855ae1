#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lapwing/model/stream.hpp"
#include "lapwing/plan/flow.hpp"
#include "lapwing/plan/messages.hpp"
#include "lapwing/plan/workload.hpp"
#include "lapwing/profile/profile.hpp"
#include "lapwing/simulate/costs/timings.hpp"

namespace lapwing {

/// How long ways to cut a stream one way take, each message issued, carried and taken up after the
/// one before it. A receiver consumes them; a producer, who makes them, is the same with time
/// reversed. Where a flood of messages is not paced as straight lines have it, they are played by
/// that pace instead; a receiver that was seen to compute takes them up as it did then; and where
/// short messages overtake long ones whose handshake is under way, one does that was to follow a
/// long one to a receiver.
class StreamPlayer {
  public:
    /// `flow` of the workload, as `plan` has checked them.
    StreamPlayer(const Profile& profile, const Workload& workload, const Flow& flow);

    [[nodiscard]] const model::Stream& costs() const { return costs_; }
    /// Sizes at which messages were measured, bytes, where lines do not tell; empty where they do.
    [[nodiscard]] const std::vector<std::uint64_t>& measured() const {
        return flood_.sizes.empty() ? taken_up_.sizes : flood_.sizes;
    }
    /// `flow` with the wire as fast as messages of any size have it.
    [[nodiscard]] Flow fastest(Flow flow) const;

    /// Seconds until the last message is made and taken up, or consumed, as the workload has it.
    [[nodiscard]] double seconds(const Messages& messages) const;
    /// Messages that are longer than this, bytes, are overtaken by those that are not; 0: none is.
    [[nodiscard]] std::uint64_t overtaking() const { return overtaking_; }

    /// Seconds until a receiver has consumed them, whatever the workload's direction.
    [[nodiscard]] double consumed(const Messages& messages) const;
    /// The same of messages of `size` bytes each, as many as `volume` bytes need of them.
    [[nodiscard]] double uniform(std::uint64_t volume, std::uint64_t size) const;

  private:
    [[nodiscard]] double consumed(std::span<const Run> runs) const;
    /// Whether the first of `next` comes before the last of `before`.
    [[nodiscard]] bool overtakes(const Run& next, const Run& before) const {
        return next.count > 0 && next.size <= overtaking_ && before.size > overtaking_;
    }

    model::Stream costs_;
    simulate::Timings flood_;
    simulate::Timings taken_up_;
    bool producing_;
    std::uint64_t overtaking_;
};

}  // namespace lapwing

#pragma once

#include "lapwing/model/stream.hpp"
#include "lapwing/plan/costs/rank_costs.hpp"

namespace lapwing {

/// A stream's costs as the receiver's that computes. A producer is a receiver with time reversed:
/// it pays the overhead of sending where the other pays that of receiving, and what it had best
/// send last the other had best receive first.
[[nodiscard]] model::Stream as_receiver(const RankCosts& costs);

/// The costs of one message to each of `peers` peers, one after another, as those of one message.
[[nodiscard]] model::Stream serialised_over_peers(const model::Stream& line, double peers);

/// Seconds that no choice of messages can beat: of a stream `model::stream_limit`; elsewhere the
/// longer of computation and wire.
[[nodiscard]] double lower_bound_seconds(const RankCosts& costs);

/// Seconds of the blocking run: one message with each peer, all awaited, and all computation before
/// or after (schedule A). `costs`: of a rank that does not compute meanwhile.
[[nodiscard]] double blocking_seconds(const RankCosts& costs);

}  // namespace lapwing

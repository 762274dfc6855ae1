#pragma once

#include "lapwing/plan/costs/workload_costs.hpp"
#include "lapwing/plan/messages.hpp"

namespace lapwing {

/// Seconds that no choice of messages can beat: of a stream `model::stream_limit`; elsewhere the
/// longer of computation and wire.
[[nodiscard]] double lower_bound_seconds(const RankCosts& costs);

/// Seconds of the blocking run: one message with each peer, all awaited, and all computation before
/// or after (schedule A). `costs`: of a rank that does not compute meanwhile.
[[nodiscard]] double blocking_seconds(const RankCosts& costs);

/// Seconds of `messages` with each peer where the computation needs none of them. A rank initiates
/// all, then computes all, then awaits all. `unhidden` seconds of them nothing hides. Where costs
/// are no straight line between measured sizes, the wire takes for each message what a flood of its
/// size takes.
[[nodiscard]] double independent_seconds(const RankCosts& costs, const Messages& messages,
                                         double unhidden);

/// Seconds until who sends everything at once, and does not compute, knows that it has arrived; 0
/// where nobody waits for that.
[[nodiscard]] double acknowledged_seconds(const RankCosts& costs);

}  // namespace lapwing

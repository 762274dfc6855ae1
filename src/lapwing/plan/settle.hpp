#pragma once

#include "lapwing/plan/choose.hpp"
#include "lapwing/plan/flow.hpp"
#include "lapwing/plan/plan.hpp"

namespace lapwing {

/// The costs of a message of each of `peers` peers in turn, as those of one message of each.
[[nodiscard]] model::Stream in_turns(const model::Stream& costs, double peers);

/// Seconds without overlap: a message with each peer, all awaited, and all computation before or
/// after. `costs` are the flow's, in the direction in which time runs.
[[nodiscard]] double blocking(const model::Stream& costs, const Flow& flow);

/// The best of the ways that `chosen` is not; `stalled` seconds come on top of those that overlap.
[[nodiscard]] RunnerUp runner_up(const Ways& ways, const Messages& chosen, double stalled);

/// Completes a plan whose messages and window are chosen: its tile, packing and what binds it.
/// `stalled` seconds of it are messages that do not advance.
void settle(Plan& plan, const Flow& flow, double stalled);

}  // namespace lapwing

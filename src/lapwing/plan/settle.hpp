#pragma once

#include "lapwing/plan/choose.hpp"
#include "lapwing/plan/flow.hpp"
#include "lapwing/plan/plan.hpp"

namespace lapwing {

/// How much longer a wire takes where ranks have messages under way to more than two others: an
/// interface takes what can go first, ranks get in each other's way, and wires rest. In the engine
/// flat all-to-alls of 8 and 16 ranks take 1.4 to 1.7 times as long.
inline constexpr double crowding = 1.5;

/// The costs as those of who fetches. A producer is a consumer with time reversed: it pays the
/// overhead of sending where the other pays that of receiving, and what it likes to send last is
/// what the other likes to get first.
[[nodiscard]] model::Stream as_fetched(const Workload& workload, model::Stream costs);

/// The costs of a message of each of `peers` peers in turn, as those of one message of each.
[[nodiscard]] model::Stream in_turns(const model::Stream& costs, double peers);

/// Seconds no choice of messages can beat: of a stream, `model::stream_limit`; elsewhere the longer
/// of computation and wire.
[[nodiscard]] double limit(const Workload& workload, const Flow& flow);

/// Seconds without overlap: a message with each peer, all awaited, and all computation before or
/// after. `nic`: of the machine.
[[nodiscard]] double blocking(const Workload& workload, const Flow& flow, Nic nic);

/// The best of the ways that `chosen` is not; `stalled` seconds come on top of those that overlap.
[[nodiscard]] RunnerUp runner_up(const Ways& ways, const Messages& chosen, double stalled);

/// Completes a plan whose messages and window are chosen: its tile, packing and what binds it.
/// `stalled` seconds of it are messages that do not advance.
void settle(Plan& plan, const Flow& flow, double stalled);

}  // namespace lapwing

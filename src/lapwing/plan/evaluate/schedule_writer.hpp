#pragma once

#include "lapwing/plan/candidate.hpp"
#include "lapwing/plan/workload.hpp"
#include "lapwing/simulate/costs/measured_machine.hpp"
#include "lapwing/simulate/program/graph.hpp"

namespace lapwing {

/// What every rank does when a workload (complete) is run as a candidate says, written out for the
/// engine. Calculations are whole nanoseconds.
///
/// Ranks run the library's own loops:
///
/// - Who fetches has the window of receives posted, awaits the oldest, posts the next and then
///   computes. Who produces awaits the oldest where the window is full, computes and sends.
/// - In two-way patterns a message is sent with each that is received; only receives are awaited.
/// - The rank in the middle of a congested pattern, and the peers of a multi, only send or receive.
/// - Rank r of an all-to-all begins with r + 1, or all ranks with rank 0. The neighbours of a halo
///   are those to the right and to the left; four of them are those on a grid.
/// - A collective is a message to each of the others in the order of ranks, and so is a sum: its
///   messages are awaited together.
/// - Of a collective whose sizes only senders know, sizes go first. Data follows when they are
///   there and a collective before it is awaited, the next one has been computed, or it is awaited
///   itself (`AlltoallVarying`).
///
/// A message takes its receiver's processor when it is awaited, not when it arrives: that is a
/// calculation, as long as `costs` says.
[[nodiscard]] simulate::Graph write_schedule(const Workload& workload, const Candidate& candidate,
                                             const simulate::MeasuredMachine& costs);

}  // namespace lapwing

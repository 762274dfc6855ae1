#pragma once

#include "lapwing/plan/candidate.hpp"
#include "lapwing/plan/workload.hpp"
#include "lapwing/simulate/costs/measured_machine.hpp"
#include "lapwing/simulate/program/graph.hpp"

namespace lapwing {

/// What every rank does when a workload (complete) is run as a candidate says, written out for the
/// engine: the library's own loops. Calculations are whole nanoseconds.
///
/// Who fetches has the window of receives posted, awaits the oldest, posts the next and then
/// computes; who produces awaits the oldest where the window is full, computes and sends. In
/// two-way patterns a message is sent with each that is received, and only receives are awaited.
/// A collective is a message to each of the others in the order of ranks; so is a sum, whose
/// messages are awaited together. Where only senders know its sizes, those go first: data follows
/// when they are there and a collective before it is awaited, the next one has been computed, or it
/// is awaited itself (`AlltoallVarying`).
///
/// A message takes its receiver's processor when it is awaited, not when it arrives: that is a
/// calculation, as long as `costs` says.
[[nodiscard]] simulate::Graph write_schedule(const Workload& workload, const Candidate& candidate,
                                             const simulate::MeasuredMachine& costs);

}  // namespace lapwing

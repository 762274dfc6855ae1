#pragma once

#include "lapwing/plan/plan.hpp"
#include "lapwing/simulate/graph.hpp"

namespace lapwing {

/// What every rank does when a plan is run, written out for the engine: `simulate::simulate` plays
/// it on a measured machine, contention included. Calculations are whole nanoseconds.
///
/// Ranks run the library's own loops. Who fetches has the plan's window of receives posted, awaits
/// the oldest, posts the next and then consumes; who produces awaits the oldest where the window is
/// full, computes and sends; in two-way patterns a message is sent with each that is received. The
/// one of a congested pattern, and the peers of a multi, only send or receive. Rank r of an
/// all-to-all begins with r + 1; the neighbours of a halo are those to the right and to the left.
/// A collective is a message to each of the others, and so is a sum.
[[nodiscard]] simulate::Graph schedule(const Plan& plan);

}  // namespace lapwing

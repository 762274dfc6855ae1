#pragma once

#include "lapwing/plan/flow.hpp"
#include "lapwing/plan/plan.hpp"

namespace lapwing {

/// Whether the computation of a workload waits for nothing: that of buckets is what they are of.
[[nodiscard]] bool is_loose(const Workload& workload);

/// Seconds that messages take, `stalled` of which nothing hides. Where costs are no straight line
/// between measured sizes, the wire takes for each what a flood of its size took.
[[nodiscard]] double play_loose(const Profile& profile, const Workload& workload, const Flow& flow,
                                const Messages& messages, double stalled);

/// Our planner where the computation waits for nothing: all messages are initiated, then all is
/// computed, then all are awaited. One message with each peer is best, unless only smaller ones
/// advance while nobody calls, or the wire is faster with others that were measured.
/// `flow` of the workload, all as `plan` has checked them.
[[nodiscard]] Plan plan_loose(const Profile& profile, const Workload& workload, const Flow& flow);

}  // namespace lapwing

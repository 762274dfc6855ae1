#pragma once

#include "lapwing/plan/flow.hpp"
#include "lapwing/plan/plan.hpp"

namespace lapwing {

/// Our planner where the computation waits for nothing: all messages are initiated, then all is
/// computed, then all are awaited. One message with each peer is best, unless only smaller ones
/// advance while nobody calls.
/// `flow` of the workload, all as `plan` has checked them.
[[nodiscard]] Plan plan_loose(const Profile& profile, const Workload& workload, const Flow& flow);

}  // namespace lapwing

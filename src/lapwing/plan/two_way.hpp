#pragma once

#include "lapwing/plan/flow.hpp"
#include "lapwing/plan/plan.hpp"

namespace lapwing {

/// Our planner where every rank that computes sends and receives: sizes and windows are played
/// (`simulate::exchange`), equal messages of many sizes and those of a chain, and the fastest kept.
/// `flow` of the workload, all as `plan` has checked them.
[[nodiscard]] Plan plan_two_way(const Profile& profile, const Workload& workload, const Flow& flow);

}  // namespace lapwing

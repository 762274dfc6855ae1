#pragma once

#include "lapwing/plan/flow.hpp"
#include "lapwing/plan/plan.hpp"

namespace lapwing {

/// Our planner where a rank that computes only receives, or only sends: messages of unequal size,
/// each arriving just when the one before it is consumed (`model::chain_first`), corrected for the
/// sender that issues them one by one; of several peers, a message of each in turn. What it chooses
/// is compared, by playing it, with not splitting and with uniform messages.
/// `flow` of the workload, all as `plan` has checked them.
[[nodiscard]] Plan plan_one_way(const Profile& profile, const Workload& workload, const Flow& flow);

}  // namespace lapwing

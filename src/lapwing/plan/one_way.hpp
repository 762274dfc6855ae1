#pragma once

#include "lapwing/plan/flow.hpp"
#include "lapwing/plan/plan.hpp"

namespace lapwing {

/// Whether this planner is for the workload on that machine: it knows one latency and one time of
/// the wire a byte, and messages of any size.
[[nodiscard]] bool has_closed_form(const Profile& profile, const Workload& workload);

/// Our planner for a stream one way: messages of unequal size, each arriving just when the one
/// before it is consumed (`model::chain_first`), corrected for the sender that issues them one by
/// one. What it chooses is compared, by playing it, with not splitting and with uniform messages.
/// Where a flood of messages is not paced as these costs have it (`StreamPlayer`), messages of the
/// sizes it was measured at are among them.
/// `flow` of the workload, all as `plan` has checked them.
[[nodiscard]] Plan plan_one_way(const Profile& profile, const Workload& workload, const Flow& flow);

}  // namespace lapwing

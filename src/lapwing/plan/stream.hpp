#pragma once

#include "lapwing/plan/plan.hpp"

namespace lapwing {

/// Our planner for a stream: messages of unequal size, each arriving just when the one before it
/// is consumed (`model::chain_first`), corrected for the sender that issues them one by one.
/// What it chooses is compared, by playing it, with not splitting and with uniform messages.
/// `profile` and `workload` as `plan` has checked them.
[[nodiscard]] Plan plan_stream(const Profile& profile, const Workload& workload);

}  // namespace lapwing

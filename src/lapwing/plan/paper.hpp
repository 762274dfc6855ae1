#pragma once

#include "lapwing/plan/plan.hpp"

namespace lapwing {

/// The planner of Iancu and Strohmaier (2007), section 3.1, for template E: every message size and
/// burst in powers of two (bursts 1 to 64, at most 8,192 messages), the least value of equation 5
/// under constraints 2, 3 and 8 where communication takes longer, of equation 7 (6 for a single
/// burst) under constraints 3 and 8 where computation does. `profile` and `workload` as `plan` has
/// checked them.
[[nodiscard]] Plan plan_paper(const Profile& profile, const Workload& workload);

}  // namespace lapwing

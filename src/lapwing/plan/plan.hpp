#pragma once

#include "lapwing/plan/plan_types.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// The plan for a workload on a measured machine. Never communicates. "Do not split" and "do not
/// overlap" are among its choices: one message.
///
/// The computation (`Workload::uncertainty`) or the profile's G may be uncertain by one per cent or
/// more. Then the plan is the one that loses least on average over their ranges.
///
/// Throws `std::invalid_argument` for an impossible workload (see `complete`), for an invalid
/// profile (see `validate`), for costs that were not measured, and where `method` has no model.
[[nodiscard]] Plan plan(const Profile& profile, const Workload& workload,
                        Method method = Method::lapwing);

}  // namespace lapwing

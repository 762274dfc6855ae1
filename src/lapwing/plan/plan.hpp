#pragma once

#include "lapwing/plan/plan_types.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// The plan for a workload on a measured machine. Never communicates. "Do not split" and "do not
/// overlap" are among its choices: one message.
///
/// Where the computation (`Workload::uncertainty`) or the profile's G is uncertain by one per cent
/// or more, the plan is the one that loses least on average over what they may be.
///
/// Throws `std::invalid_argument` for an impossible workload (see `complete`), for a profile that
/// `validate` refuses, for costs that were not measured, and for what `method` has no model of.
[[nodiscard]] Plan plan(const Profile& profile, const Workload& workload,
                        Method method = Method::lapwing);

}  // namespace lapwing

#pragma once

#include <functional>

#include "lapwing/plan/plan.hpp"

namespace lapwing {

/// The plan whose messages move as the workload says, or, where that leaves it open, in the way
/// that is fastest. One-sided messages are weighed for a stream one way, and of them those by which
/// the side that does not compute does the work: puts to who fetches, gets from who produces. What
/// they cost that come to one rank from many is measured nowhere.
///
/// `workload`: complete. `plan_on(profile)`: the plan for it on the machine as messages of one way
/// to move see it. Throws `std::invalid_argument` where the workload names a way that was not
/// measured.
[[nodiscard]] Plan choose_transport(const Profile& profile, const Workload& workload,
                                    const std::function<Plan(const Profile&)>& plan_on);

}  // namespace lapwing

#pragma once

#include "lapwing/plan/costs/workload_costs.hpp"
#include "lapwing/plan/plan_types.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// Applies the limits of a transport to a plan over it, and says that the workload names it.
void apply_transport(Plan& plan, const RankCosts& costs, MessageTransport transport);

/// The plan whose messages move as the workload says or, where it leaves that open, the fastest
/// way.
/// Throws `std::invalid_argument` where the workload (complete) names a transport that was not
/// measured.
[[nodiscard]] Plan plan_over_transports(const Profile& profile, const Workload& workload);

}  // namespace lapwing

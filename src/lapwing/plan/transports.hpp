#pragma once

#include "lapwing/plan/costs/workload_costs.hpp"
#include "lapwing/plan/plan_types.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// The plan whose messages move as the workload (complete) says, or, where it leaves that open, in
/// the fastest way. One-sided messages are candidates for a one-way stream, where the side that
/// does not compute moves the data: puts to who fetches, gets from who produces. What one-sided
/// messages cost where several ranks meet is measured nowhere. Throws `std::invalid_argument` where
/// the workload names a transport that was not measured.
[[nodiscard]] Plan plan_over_transports(const Profile& profile, const Workload& workload);

/// Applies the limits of the transport that a workload (complete) names to a plan for it, and says
/// why that transport. `costs`: over it.
void apply_transport(Plan& plan, const WorkloadCosts& costs, MessageTransport transport);

}  // namespace lapwing

#pragma once

#include "lapwing/plan/costs/workload_costs.hpp"
#include "lapwing/plan/plan_types.hpp"

namespace lapwing {

/// Whether a one-sided transport is a candidate where the workload leaves it open: for a one-way
/// stream, where the side that does not compute moves the data: puts to who fetches, gets from who
/// produces. What one-sided messages cost where several ranks meet is measured nowhere.
[[nodiscard]] bool is_candidate(const Workload& workload, MessageTransport transport);

/// Applies the limits of a transport to a plan over it, and says that the workload names it.
void apply_transport(Plan& plan, const RankCosts& costs, MessageTransport transport);

}  // namespace lapwing

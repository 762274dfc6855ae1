#pragma once

#include "lapwing/plan/costs/workload_costs.hpp"
#include "lapwing/plan/plan_types.hpp"

namespace lapwing {

/// The plan for inputs that are uncertain by `costs.uncertainty`. Candidates are the plans for the
/// given computation, for as much more, and for as much less. It is the one with the least average
/// loss over the three, as a share of the blocking run. Inputs with less than a per cent of
/// uncertainty count as exact.
[[nodiscard]] Plan plan_robust(const WorkloadCosts& costs);

}  // namespace lapwing

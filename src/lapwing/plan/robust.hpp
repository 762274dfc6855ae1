#pragma once

#include "lapwing/plan/costs/workload_costs.hpp"
#include "lapwing/plan/plan_types.hpp"

namespace lapwing {

/// The plan for inputs that are uncertain by `costs.uncertainty`: of the plans for the computation
/// as it is said, for as much more and for as much less, the one that loses least on average over
/// the three, as a share of the blocking run. With less than a per cent of uncertainty the inputs
/// are taken as they are.
[[nodiscard]] Plan plan_robust(const WorkloadCosts& costs);

}  // namespace lapwing

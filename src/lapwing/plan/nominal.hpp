#pragma once

#include "lapwing/plan/costs/workload_costs.hpp"
#include "lapwing/plan/plan_types.hpp"

namespace lapwing {

/// The plan for inputs that are exact. `budget`: of the engine, see `Engine::cost`.
[[nodiscard]] Plan plan_nominal(const WorkloadCosts& costs, double budget);

}  // namespace lapwing

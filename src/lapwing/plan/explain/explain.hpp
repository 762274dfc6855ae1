#pragma once

#include "lapwing/plan/costs/workload_costs.hpp"
#include "lapwing/plan/evaluate/evaluator.hpp"
#include "lapwing/plan/plan_types.hpp"
#include "lapwing/plan/search/best_candidate.hpp"

namespace lapwing {

/// The plan that runs the best candidate, or the blocking run if that is faster. It has the
/// reasons: its bound, the limit, the runner-up, and why it polls. `evaluator`: of
/// `costs.computing`.
[[nodiscard]] Plan explain(const WorkloadCosts& costs, const Evaluator& evaluator,
                           const Found& found);

/// Sets what follows from a plan's messages: its tile and packing.
void set_tile(Plan& plan, const RankCosts& costs);

}  // namespace lapwing

#include "lapwing/plan/nominal.hpp"

#include "lapwing/plan/explain/explain.hpp"

namespace lapwing {

Plan plan_nominal(const WorkloadCosts& costs, double budget) {
    const Evaluator evaluator(costs.computing, budget);
    return explain(costs, evaluator, best_candidate(evaluator, budget));
}

}  // namespace lapwing

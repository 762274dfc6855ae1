#include "lapwing/plan/robust.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "lapwing/plan/explain/explain.hpp"
#include "lapwing/plan/search_options.hpp"

namespace lapwing {
namespace {

/// The plan for inputs that are exact. `budget`: of the engine, see `Engine::cost`.
Plan plan_nominal(const WorkloadCosts& costs, double budget) {
    const Evaluator evaluator(costs.computing, budget);
    return explain(costs, evaluator, best_candidate(evaluator, budget));
}

}  // namespace

Plan plan_robust(const WorkloadCosts& costs) {
    const double uncertain = costs.uncertainty;
    if (uncertain < search_options.exact) return plan_nominal(costs, search_options.budget);
    constexpr std::size_t cases = 3;
    const std::array<double, cases> factors = {1, 1 + uncertain, 1 / (1 + uncertain)};
    std::array<WorkloadCosts, cases> scenarios;
    std::array<Plan, cases> plans;
    for (std::size_t i = 0; i < cases; ++i) {
        scenarios[i] = {.computing = costs.computing.with_computation(factors[i]),
                        .idle = costs.idle.with_computation(factors[i])};
        plans[i] = plan_nominal(scenarios[i], search_options.budget / cases);
    }
    std::array<double, cases> nominal{};
    std::array<double, cases> losses{};
    for (std::size_t k = 0; k < cases; ++k) {
        const Evaluator judge(scenarios[k].computing, search_options.budget);
        const bool by_engine =
            std::ranges::any_of(plans,
                                [&](const Plan& each) { return judge.needs_engine(each); }) &&
            std::ranges::all_of(plans, [&](const Plan& each) { return judge.can_simulate(each); });
        for (std::size_t i = 0; i < cases; ++i) {
            const double seconds = judge.seconds(plans[i], by_engine);
            if (k == 0) nominal[i] = seconds;
            losses[i] += seconds / plans[k].blocking;
        }
    }
    std::size_t best = 0;
    for (std::size_t i = 1; i < cases; ++i)
        if (losses[i] < losses[best] * (1 - search_options.floating_point_tie)) best = i;
    if (best == 0) return plans[0];
    Plan& chosen = plans[best];
    chosen.workload = plans[0].workload;
    chosen.predicted = nominal[best];
    chosen.limit = plans[0].limit;
    chosen.blocking = plans[0].blocking;
    chosen.bound = plans[0].bound;
    chosen.runner_up = {"the plan for the computation as it is said", nominal[0]};
    return chosen;
}

}  // namespace lapwing

#include "lapwing/plan/robust.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "lapwing/plan/evaluate/evaluator.hpp"
#include "lapwing/plan/nominal.hpp"
#include "lapwing/plan/search_options.hpp"

namespace lapwing {
namespace {

constexpr std::size_t cases = 3;

/// The same messages beside `factor` times the computation.
WorkloadCosts scaled(const WorkloadCosts& costs, double factor) {
    return {.computing = costs.computing.with_computation(factor),
            .idle = costs.idle.with_computation(factor)};
}

}  // namespace

Plan plan_robust(const WorkloadCosts& costs) {
    const double uncertain = costs.uncertainty;
    if (uncertain < search_options.exact) return plan_nominal(costs, search_options.budget);
    const std::array<double, cases> factors = {1, 1 + uncertain, 1 / (1 + uncertain)};
    std::array<WorkloadCosts, cases> scenarios;
    std::array<Plan, cases> plans;
    for (std::size_t i = 0; i < cases; ++i) {
        scenarios[i] = scaled(costs, factors[i]);
        plans[i] = plan_nominal(scenarios[i], search_options.budget / cases);
    }
    std::array<double, cases> nominal{};
    std::array<double, cases> losses{};
    for (std::size_t k = 0; k < cases; ++k) {
        const Evaluator judge(scenarios[k].computing, search_options.budget);
        const bool by_engine =
            std::any_of(plans.begin(), plans.end(),
                        [&](const Plan& each) { return judge.needs_engine(each); }) &&
            std::all_of(plans.begin(), plans.end(),
                        [&](const Plan& each) { return judge.can_simulate(each); });
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
    Plan chosen = plans[best];
    chosen.workload = plans[0].workload;
    chosen.predicted = nominal[best];
    chosen.limit = plans[0].limit;
    chosen.blocking = plans[0].blocking;
    chosen.bound = plans[0].bound;
    chosen.runner_up = {"the plan for the computation as it is said", nominal[0]};
    return chosen;
}

}  // namespace lapwing

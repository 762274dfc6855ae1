#include "lapwing/plan/plan.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "lapwing/plan/costs/one_sided.hpp"
#include "lapwing/plan/evaluate/closed_forms.hpp"
#include "lapwing/plan/explain/explain.hpp"
#include "lapwing/plan/iancu2007/planner.hpp"
#include "lapwing/plan/search_options.hpp"
#include "lapwing/plan/transports.hpp"

// The way of a plan, from top to bottom of this folder:
//
//     Workload + Profile ──► RankCosts ──► candidates ──► Evaluator ──► search ──► Plan
//                            costs/        candidates/    evaluate/     search/    explain/

namespace lapwing {
namespace {

/// The plan for inputs that are exact. `budget`: of the engine, see `Engine::cost`.
Plan plan_nominal(const WorkloadCosts& costs, double budget) {
    const Evaluator evaluator(costs.computing, budget);
    return explain(costs, evaluator, best_candidate(evaluator, budget));
}

/// The plan for inputs that are uncertain by `costs.uncertainty`: of the plans for the computation
/// as it is said, for as much more and for as much less, the one that loses least on average over
/// the three, as a share of the blocking run. With less than a per cent of uncertainty the inputs
/// are taken as they are.
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

/// Takes a one-sided plan if it is clearly faster.
void take_if_faster(Plan& best, const Profile& profile, MessageTransport transport) {
    if (best.transport == "two-sided")
        best.transport_reason = "one-sided messages would take longer";
    const WorkloadCosts costs = workload_costs(profile, best.workload, transport);
    // What cannot be faster need not be planned.
    const double enough = (1 - search_options.one_sided_doubt) * best.predicted;
    if (lower_bound_seconds(costs.computing) > enough) return;
    Plan other = plan_robust(costs);
    apply_transport(other, costs.computing, transport);
    const bool faster = other.predicted < enough;
    if (faster) std::swap(best, other);
    const RunnerUp& second = best.runner_up;
    if (second.what.empty() || other.predicted < second.predicted)
        best.runner_up = {std::string(other.transport) + " messages", other.predicted};
    if (!faster) return;
    best.transport_reason = "two-sided messages would take longer";
    best.blocking = other.blocking;  // all transports are compared with one blocking run
}

/// The plan whose messages move as the workload says or, where it leaves that open, the fastest
/// way.
Plan plan_over_transports(const Profile& profile, const Workload& workload) {
    const bool any = workload.transport == MessageTransport::any;
    const auto transport = any ? MessageTransport::two_sided : workload.transport;
    const WorkloadCosts costs = workload_costs(profile, workload, transport);
    Plan plan = plan_robust(costs);
    apply_transport(plan, costs.computing, transport);
    if (!any || plan.transport == "collective") return plan;
    plan.transport_reason = "what others would cost here was not measured";
    for (const auto each : {MessageTransport::put, MessageTransport::get})
        if (is_candidate(workload, each) && is_measured(profile, each))
            take_if_faster(plan, profile, each);
    return plan;
}

}  // namespace

Plan plan(const Profile& profile, const Workload& workload, Method method) {
    validate(profile);
    const Workload whole = complete(workload);
    return method == Method::lapwing ? plan_over_transports(profile, whole)
                                     : plan_iancu(profile, whole, method);
}

}  // namespace lapwing

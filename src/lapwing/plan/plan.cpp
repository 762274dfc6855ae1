#include "lapwing/plan/plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "lapwing/plan/attendance.hpp"
#include "lapwing/plan/choose_transport.hpp"
#include "lapwing/plan/evaluation.hpp"
#include "lapwing/plan/exchanging.hpp"
#include "lapwing/plan/finals.hpp"
#include "lapwing/plan/flow.hpp"
#include "lapwing/plan/loose.hpp"
#include "lapwing/plan/one_way.hpp"
#include "lapwing/plan/paper.hpp"
#include "lapwing/plan/played.hpp"
#include "lapwing/plan/receiving.hpp"
#include "lapwing/plan/settle.hpp"
#include "lapwing/plan/taken.hpp"

namespace lapwing {
namespace {

/// Inputs with less of an error than this share are taken as they are: plans for computations that
/// differ by less are as good as each other.
constexpr double exact = 0.01;

/// The plan for what the inputs say, as if they were exact. `effort`: of playing, as many messages.
Plan plan_at(const Profile& profile, const Workload& workload, const Flow& flow,
             double effort = messages_to_play) {
    if (is_loose(workload)) return plan_loose(profile, workload, flow);
    return has_closed_form(profile, workload) ? plan_one_way(profile, workload, flow)
                                              : plan_played(profile, workload, flow, effort);
}

/// How far computation over communication may be from what the inputs say: independent errors of
/// the one and of the other.
double uncertainty(const Profile& profile, const Workload& workload) {
    return std::hypot(workload.uncertainty, profile.error.G);
}

/// Of the plans for as much computation as there may be, as is said, and as little, the one that
/// loses least on average over the three: what it takes longer than the best of them for each, as a
/// share of the blocking run.
Plan plan_robustly(const Profile& profile, const Workload& workload, const Flow& flow,
                   double uncertain) {
    constexpr std::size_t cases = 3;
    const std::array<double, cases> factors = {1, 1 + uncertain, 1 / (1 + uncertain)};
    std::array<Workload, cases> workloads;
    std::array<Flow, cases> flows;
    std::array<Plan, cases> plans;
    for (std::size_t i = 0; i < cases; ++i) {
        workloads[i] = workload;
        workloads[i].compute *= factors[i];
        flows[i] = flow;
        flows[i].costs.t *= factors[i];
        plans[i] = plan_at(profile, workloads[i], flows[i], messages_to_play / cases);
    }
    std::array<double, cases> nominal{};
    std::array<double, cases> losses{};
    for (std::size_t k = 0; k < cases; ++k) {
        const Evaluation evaluation(profile, workloads[k], flows[k], messages_to_play);
        const bool by_engine = std::all_of(plans.begin(), plans.end(),
                                           [&](const Plan& way) { return evaluation.plays(way); });
        for (std::size_t i = 0; i < cases; ++i) {
            const double seconds = evaluation.seconds(plans[i], by_engine);
            if (k == 0) nominal[i] = seconds;
            losses[i] += seconds / plans[k].blocking;
        }
    }
    std::size_t best = 0;
    for (std::size_t i = 1; i < cases; ++i)
        if (losses[i] < losses[best] * (1 - 1e-6)) best = i;
    if (best == 0) return plans[0];
    Plan chosen = plans[best];
    chosen.workload = workload;
    chosen.predicted = nominal[best];
    chosen.limit = plans[0].limit;
    chosen.blocking = plans[0].blocking;
    chosen.bound = plans[0].bound;
    chosen.runner_up = {"the plan for the computation as it is said", nominal[0]};
    return chosen;
}

Plan plan_with(const Profile& profile, const Workload& workload, const Flow& costs) {
    const double uncertain = uncertainty(profile, workload);
    return uncertain < exact ? plan_at(profile, workload, costs)
                             : plan_robustly(profile, workload, costs, uncertain);
}

/// `plan`, if it does better than one that does not overlap and so takes `plan.blocking`: where
/// messages take the processor from the computation that may be.
Plan or_blocking(Plan plan, const Profile& profile, const Flow& costs) {
    const Workload& workload = plan.workload;
    plan.limit = std::min(plan.limit, plan.blocking);
    if (plan.predicted < plan.blocking) return plan;
    plan.runner_up = {"overlapped", plan.predicted};
    plan.messages = Messages::uniform(costs.own, costs.own, workload.grain);
    plan.window = static_cast<int>(std::min<std::uint64_t>(
        costs.peers, profile.queue_depth
                         ? static_cast<std::uint64_t>(std::max(1, *profile.queue_depth - 1))
                         : costs.peers));
    plan.burst = 0;
    plan.pace = 0;
    plan.predicted = plan.blocking;
    plan.poll_interval = 0;
    plan.poll_reason = "messages take the processor from the computation";
    settle(plan, costs, 0);
    plan.bound = Bound::progress;
    return plan;
}

/// The plan where messages take `seconds` of the processor while it computes: that for as much more
/// computation.
Plan plan_against(const Profile& profile, const Workload& workload, const Flow& costs,
                  double seconds) {
    Workload prolonged = workload;
    prolonged.compute += seconds;
    Plan plan = plan_with(profile, prolonged, flow(profile, prolonged));
    plan.workload = workload;
    plan.blocking -= seconds;
    return or_blocking(std::move(plan), profile, costs);
}

/// `plan`, made by what messages were seen to cost ranks that compute, if it does better than
/// `plan.blocking`, by what they cost where nobody does. One message is not overlapped.
Plan seen_or_blocking(Plan plan, const Profile& profile, const Flow& costs) {
    if (plan.messages.count() * costs.peers > 1)
        return or_blocking(std::move(plan), profile, costs);
    plan.predicted = plan.blocking;
    return plan;
}

/// The plan of ranks that all send, receive and compute, by what messages were seen to expose then.
/// Who does not overlap does not compute meanwhile.
Plan plan_exchanging(const Profile& profile, const Workload& workload, const Flow& costs) {
    const Profile seen = exchanging(profile, workload);
    Plan plan = plan_with(seen, workload, flow(seen, workload));
    plan.blocking = blocking(workload, costs, profile.nic);
    if (costs.peers == 1 && !is_loose(workload)) {
        Plan whole = plan;
        whole.messages = Messages::uniform(costs.own, costs.own, workload.grain);
        const Evaluation evaluation(profile, workload, costs, messages_to_play);
        plan.blocking = evaluation.seconds(whole, evaluation.plays(whole));
    }
    return seen_or_blocking(std::move(plan), profile, costs);
}

/// The plan by the costs of messages, and by what the system takes of the processor meanwhile.
Plan plan_taken(const Profile& profile, const Workload& workload, const Flow& costs) {
    const double seconds = taken(profile, workload, costs);
    return seconds > 0 ? plan_against(profile, workload, costs, seconds)
                       : plan_with(profile, workload, costs);
}

/// The plan of ranks that only receive while they compute, by what messages were seen to cost them
/// then. Who does not overlap does not compute meanwhile.
Plan plan_receiving(const Profile& profile, const Workload& workload, const Flow& costs) {
    const Profile seen = receiving(profile);
    Plan plan = plan_taken(seen, workload, flow(seen, workload));
    plan.blocking = blocking(workload, costs, profile.nic);
    return seen_or_blocking(std::move(plan), profile, costs);
}

}  // namespace

Plan plan(const Profile& profile, const Workload& workload, Method method) {
    validate(profile);
    Workload whole = complete(workload);
    // The paper has no model by which to choose one.
    if (method != Method::lapwing && whole.transport == MessageTransport::any)
        whole.transport = MessageTransport::two_sided;
    return choose_transport(profile, whole, [&](const Profile& seen) {
        const Flow costs = flow(seen, whole);
        if (method != Method::lapwing) return plan_paper(seen, whole, costs, method);
        if (costs.two_way && seen_computing(seen, whole, true) != nullptr)
            return plan_exchanging(seen, whole, costs);
        if (seen_computing(seen, whole, costs.two_way) != nullptr)
            return plan_receiving(seen, whole, costs);
        return plan_taken(seen, whole, costs);
    });
}

}  // namespace lapwing

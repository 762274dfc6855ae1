#include "lapwing/plan/transports.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "lapwing/plan/costs/one_sided.hpp"
#include "lapwing/plan/evaluate/closed_forms.hpp"
#include "lapwing/plan/robust.hpp"
#include "lapwing/plan/search_options.hpp"

namespace lapwing {

namespace {

/// Whether a one-sided transport is a candidate where the workload leaves it open. It is for a
/// one-way stream in which the side that does not compute moves the data: by puts to a rank that
/// fetches, by gets from one that produces. What one-sided messages cost where several ranks meet
/// is measured nowhere.
bool is_candidate(const Workload& workload, MessageTransport transport) {
    if (workload.dependence == Dependence::loose || workload.direction == Direction::both ||
        is_strided(workload))
        return false;
    const bool fetches = workload.direction == Direction::fetch;
    return workload.pattern == Pattern::stream && fetches == is_put(transport);
}

/// Seconds until so many bytes, sent at once, have arrived.
double carried(const RankCosts& costs, double bytes) {
    const LogGP& link = costs.link->loggp;
    return link.o_s + link.L + link.G * bytes;
}

/// Seconds of a run that takes `seconds` without what its streams take.
double with_stream_ends(double seconds, const Messages& messages, const RankCosts& costs) {
    const StreamEnds& ends = costs.stream_ends;
    if (ends.offered > 0) {
        const auto first = static_cast<double>(messages.runs().front().size);
        const auto last = static_cast<double>(messages.runs().back().size);
        const double stall = std::max(0.0, ends.offered - costs.line.t * first);
        seconds = std::max({seconds, ends.offered + carried(costs, costs.volume()),
                            stall + costs.workload.compute + carried(costs, last)});
    }
    return ends.before + seconds + ends.after;
}

/// The same of what no choice of messages can beat, which takes `seconds`.
double limit_with_stream_ends(double seconds, const RankCosts& costs) {
    const StreamEnds& ends = costs.stream_ends;
    seconds = std::max(seconds, acknowledged_seconds(costs));
    if (ends.offered > 0)
        seconds = std::max(seconds, ends.offered + carried(costs, costs.volume()));
    return ends.before + seconds + ends.after;
}

}  // namespace

void apply_transport(Plan& plan, const RankCosts& costs, MessageTransport transport) {
    plan.transport_reason =
        plan.transport == "collective" ? "collectives have their own" : "as the workload says";
    if (transport == MessageTransport::two_sided) return;
    const bool puts = is_put(transport);
    // A put's flush waits for all puts in flight: more than two would be waited for as one.
    constexpr int most_puts = 2;
    if (puts && costs.one_by_one) plan.window = std::min(plan.window, most_puts);
    for (double* const seconds : {&plan.predicted, &plan.blocking, &plan.runner_up.predicted})
        *seconds = with_stream_ends(*seconds, plan.messages, costs);
    plan.limit = limit_with_stream_ends(plan.limit, costs);
    if (!is_candidate(plan.workload, transport) || !costs.one_by_one) return;
    // The side that moves data is busy with one message after another, the wire included.
    const LogGP& loggp = costs.link->loggp;
    const double each = puts ? loggp.o_s : loggp.o_r;
    const double moving = static_cast<double>(plan.messages.count()) * each + loggp.L +
                          loggp.G * static_cast<double>(plan.messages.volume());
    plan.predicted = std::max(plan.predicted, moving);
}

namespace {

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

}  // namespace

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

}  // namespace lapwing

#include "lapwing/plan/explain/explain.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "lapwing/plan/evaluate/closed_forms.hpp"
#include "lapwing/plan/search_options.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// The blocking run's messages.
Candidate blocking_candidate(const RankCosts& costs, const Found& found) {
    Candidate candidate = found.list.whole.candidate;
    candidate.burst = 0;
    if (is_independent(costs.workload)) return candidate;
    const int most = std::min(costs.max_in_flight, search_options.max_window);
    candidate.window = static_cast<int>(std::min(costs.peers, static_cast<std::uint64_t>(most)));
    return candidate;
}

/// Seconds of the blocking run, by the judge that chose the best candidate.
double blocking_run_seconds(const WorkloadCosts& costs, const Evaluator& evaluator,
                            const Found& found) {
    const RankCosts& idle = costs.idle;
    const bool independent = is_independent(idle.workload);
    const bool measured = costs.computing.has_exposed_time();
    if (independent && !measured) {
        const double transfer = idle.line.L + idle.line.G * idle.volume();
        return independent_seconds(idle, found.list.whole.candidate.messages,
                                   std::min(idle.workload.compute, transfer));
    }
    double blocking = blocking_seconds(idle);
    if (independent || evaluator.stream() != nullptr) return blocking;
    // One message with one peer is not overlapped: the engine knows that run.
    if (idle.peers == 1 && found.simulated) {
        const Evaluator judge(idle, search_options.budget);
        const Candidate whole = blocking_candidate(idle, found);
        blocking = costs.take_processor() && judge.can_simulate(whole) ? judge.seconds(whole, true)
                                                                       : found.whole;
    }
    if (measured) return blocking;
    // Without stolen processor time and without messages that do not advance, overlap never makes a
    // run slower.
    const double stolen = costs.computing.workload.compute - idle.workload.compute;
    return std::max(blocking, found.list.best.seconds - stolen);
}

/// The best of the kinds of messages that `chosen` is not. `unhidden` seconds come on top of those
/// that overlap.
RunnerUp best_other_kind(const Shortlist& list, const Messages& chosen, double unhidden) {
    const auto& runs = list.equal.candidate.messages.runs();
    const std::uint64_t size = runs.empty() ? 0 : runs.front().size;
    const bool whole = chosen.count() == 1;
    const bool equal = !whole && size > 0 && chosen.runs().front().size == size &&
                       chosen.count() == (chosen.volume() + size - 1) / size;
    double unsplit = never;
    double equals = never;
    double unequals = never;
    if (!whole) unsplit = list.whole.seconds;
    if (!equal) equals = list.equal.seconds + unhidden;
    if (whole || equal) unequals = list.unequal.seconds + unhidden;
    const double best = std::min({unsplit, equals, unequals});
    if (best == never) return {};
    if (best == unsplit) return {"not split", best};
    if (best == equals) return {"equal messages of " + std::to_string(size) + " bytes", best};
    return {"messages of unequal size", best};
}

/// What bounds a plan whose messages, window and predicted time are set. `unhidden` seconds of it
/// are messages that do not advance.
Bound bound_of(const Plan& plan, const RankCosts& costs, double unhidden) {
    const auto count = static_cast<double>(plan.messages.count() * costs.peers);
    const auto& x = costs.line;
    const double volume = costs.volume();
    const double compute = costs.workload.compute;
    const double wire = count * x.h + x.G * volume;
    const double sending = count * x.o_s.base + x.o_s.per_byte * volume;
    const double receiving = count * x.o_r.base + x.o_r.per_byte * volume;
    const bool produces = costs.workload.direction == Direction::produce;
    const double here = costs.two_way ? sending + receiving : produces ? sending : receiving;
    const double there = costs.two_way ? 0 : produces ? receiving : sending;
    const double most = std::max({wire, here + compute, there});
    // Half of all communication, or twice what any resource takes, outweighs all else.
    if (unhidden > 0.5 * (plan.predicted - compute)) return Bound::progress;
    if (count <= 1 || plan.predicted > 2 * most) return Bound::latency;
    if (most == wire) return Bound::bandwidth;
    return there == most || here > compute ? Bound::overhead : Bound::computation;
}

}  // namespace

Plan explain(const WorkloadCosts& costs, const Evaluator& evaluator, const Found& found) {
    const bool streams = evaluator.stream() != nullptr;
    const bool independent = is_independent(costs.idle.workload);
    Plan plan;
    plan.workload = costs.idle.workload;
    plan.transport = costs.idle.transport;
    plan.blocking = blocking_run_seconds(costs, evaluator, found);
    plan.limit = std::min(plan.blocking, streams ? evaluator.stream()->lower_bound()
                                                 : lower_bound_seconds(costs.computing));
    const bool possible = evaluator.overlaps(found.list.best.candidate);
    const double overlapped =
        possible ? found.list.best.seconds + evaluator.unhidden_seconds() : never;
    // As fast as the blocking run is good enough where the engine chose: that is exact.
    const bool exact = !streams && !costs.take_processor();
    const bool overlap = exact ? overlapped <= plan.blocking : overlapped < plan.blocking;
    static_cast<Candidate&>(plan) =
        overlap ? found.list.best.candidate : blocking_candidate(costs.idle, found);
    plan.predicted = overlap ? overlapped : plan.blocking;
    const RankCosts& chosen = overlap ? costs.computing : costs.idle;
    const double unhidden = overlap ? evaluator.unhidden_seconds() : 0;
    set_tile(plan, chosen);
    plan.bound = bound_of(plan, chosen, unhidden);
    plan.poll_reason = overlap ? chosen.progress.reason : "nothing is overlapped";
    if (!independent) plan.runner_up = best_other_kind(found.list, plan.messages, unhidden);
    if (overlap) {
        plan.poll_interval = chosen.progress.poll_interval;
        if (independent) plan.runner_up = {"no overlap", plan.blocking};
        if (found.lost_to_queue > search_options.exact * plan.predicted) plan.bound = Bound::queue;
        if (streams && plan.messages.count() > 1)
            plan.pace = evaluator.stream()->pace(plan.messages.runs());
    } else if (possible && costs.take_processor()) {
        plan.poll_reason = "messages take the processor from the computation";
        plan.bound = Bound::progress;
        plan.runner_up = {"overlapped", overlapped};
    } else if (possible && independent) {
        plan.runner_up = {"overlap", overlapped};
    }
    return plan;
}

void set_tile(Plan& plan, const RankCosts& costs) {
    // Of the messages that most bytes are sent in.
    const auto usual = std::ranges::max(plan.messages.runs(), {},
                                        [](const MessageRun& run) { return run.size * run.count; });
    plan.tile = std::max<std::uint64_t>(1, usual.size / plan.workload.grain);
    // Blocks are packed while others travel, where there are others.
    const bool alone = plan.messages.count() * costs.peers == 1;
    plan.packing = costs.packing == Packing::blocked && alone ? Packing::copy : costs.packing;
}

}  // namespace lapwing

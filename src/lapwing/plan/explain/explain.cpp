#include "lapwing/plan/explain/explain.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "lapwing/plan/evaluate/independent.hpp"
#include "lapwing/plan/evaluate/reference_times.hpp"
#include "lapwing/plan/search_options.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing {
namespace {

/// The blocking run's messages.
Candidate blocking_candidate(const RankCosts& costs, const Found& found) {
    Candidate candidate = found.list.whole.candidate;
    candidate.burst = 0;
    if (is_independent(costs.workload)) return candidate;
    const auto most =
        static_cast<std::uint64_t>(std::min(costs.max_in_flight, search_options.max_window));
    candidate.window = static_cast<int>(std::min(costs.peers, most));
    return candidate;
}

/// Seconds of the blocking run, by the judge that chose the best candidate.
double blocking_run_seconds(const WorkloadCosts& costs, const Evaluator& evaluator,
                            const Found& found) {
    const RankCosts& idle = costs.idle;
    const bool measured = costs.computing.has_exposed_time();
    if (is_independent(idle.workload) && !measured) {
        const double transfer = idle.line.L + idle.line.G * idle.volume();
        return independent_seconds(idle, found.list.whole.candidate.messages,
                                   std::min(idle.workload.compute, transfer));
    }
    if (evaluator.stream() != nullptr || is_independent(idle.workload))
        return blocking_seconds(idle);
    // One message with one peer is not overlapped: the engine knows that run.
    double blocking = blocking_seconds(idle);
    if (idle.peers == 1 && found.simulated) {
        const Evaluator judge(idle, search_options.budget);
        const Candidate whole = blocking_candidate(idle, found);
        blocking = costs.take_processor() && judge.can_simulate(whole) ? judge.seconds(whole, true)
                                                                       : found.whole;
    }
    if (measured) return blocking;
    // But for the processor time that messages steal, and for messages that do not advance, what
    // overlaps does no worse than what does not.
    const double stolen = costs.computing.workload.compute - idle.workload.compute;
    return std::max(blocking, found.best.seconds - stolen);
}

/// The best of the kinds of messages that `chosen` is not. `unhidden` seconds come on top of those
/// that overlap.
RunnerUp best_other_kind(const Shortlist& list, const Messages& chosen, double unhidden) {
    RunnerUp best;
    best.predicted = std::numeric_limits<double>::infinity();
    const auto offer = [&](bool is_chosen, double seconds, std::string what) {
        if (is_chosen || !(seconds < best.predicted)) return;
        best = {std::move(what), seconds};
    };
    const auto& runs = list.equal.candidate.messages.runs();
    const std::uint64_t size = runs.empty() ? 0 : runs.front().size;
    const bool whole = chosen.count() == 1;
    const bool equal = !whole && size > 0 && chosen.runs().front().size == size &&
                       chosen.count() == (chosen.volume() + size - 1) / size;
    offer(whole, list.whole.seconds, "not split");
    offer(equal, list.equal.seconds + unhidden,
          "equal messages of " + std::to_string(size) + " bytes");
    offer(!whole && !equal, list.unequal.seconds + unhidden, "messages of unequal size");
    if (best.what.empty()) best.predicted = 0;
    return best;
}

/// Bytes of the messages that most bytes are sent in.
std::uint64_t usual_size(const Messages& messages) {
    MessageRun most;
    for (const MessageRun& run : messages.runs())
        if (run.size * run.count > most.size * most.count) most = run;
    return most.size;
}

void take(Plan& plan, const Candidate& candidate) { static_cast<Candidate&>(plan) = candidate; }

void explain_overlap(Plan& plan, const Evaluator& evaluator, const Found& found) {
    const RankCosts& costs = evaluator.costs();
    const double unhidden = evaluator.unhidden_seconds();
    take(plan, found.best.candidate);
    plan.predicted = found.best.seconds + unhidden;
    plan.poll_interval = costs.progress.poll_interval;
    plan.poll_reason = costs.progress.reason;
    plan.runner_up = is_independent(costs.workload)
                         ? RunnerUp{"no overlap", plan.blocking}
                         : best_other_kind(found.list, plan.messages, unhidden);
    set_tile(plan, costs);
    plan.bound = found.lost_to_queue > search_options.exact * plan.predicted
                     ? Bound::queue
                     : bound_of(plan, costs, unhidden);
    const auto& runs = plan.messages.runs();
    const bool shared = std::any_of(runs.begin(), runs.end(), [&](const MessageRun& run) {
        return shares_wire(*costs.link, run.size);
    });
    if (evaluator.stream() != nullptr && shared && plan.messages.count() > 1)
        plan.pace = costs.line.G;
}

/// `overlapped`: seconds of the best that overlaps; infinite where nothing does.
void explain_blocking(Plan& plan, const WorkloadCosts& costs, const Found& found,
                      double overlapped) {
    const bool lost = std::isfinite(overlapped);
    take(plan, blocking_candidate(costs.idle, found));
    plan.predicted = plan.blocking;
    plan.poll_reason = "nothing is overlapped";
    set_tile(plan, costs.idle);
    plan.bound = bound_of(plan, costs.idle, 0);
    if (costs.take_processor() && lost) {
        plan.poll_reason = "messages take the processor from the computation";
        plan.bound = Bound::progress;
        plan.runner_up = {"overlapped", overlapped};
    } else if (is_independent(costs.idle.workload)) {
        if (lost) plan.runner_up = {"overlap", overlapped};
    } else {
        plan.runner_up = best_other_kind(found.list, plan.messages, 0);
    }
}

}  // namespace

Plan explain(const WorkloadCosts& costs, const Evaluator& evaluator, const Found& found) {
    Plan plan;
    plan.workload = costs.idle.workload;
    plan.transport = costs.idle.transport;
    plan.blocking = blocking_run_seconds(costs, evaluator, found);
    const double limit = evaluator.stream() != nullptr ? evaluator.stream()->lower_bound()
                                                       : lower_bound_seconds(costs.computing);
    plan.limit = std::min(limit, plan.blocking);
    const double seconds = evaluator.overlaps(found.best.candidate)
                               ? found.best.seconds + evaluator.unhidden_seconds()
                               : std::numeric_limits<double>::infinity();
    // As fast as the blocking run is good enough where the engine chose: that is exact.
    const bool faster = evaluator.stream() == nullptr && !costs.take_processor()
                            ? seconds <= plan.blocking
                            : seconds < plan.blocking;
    if (faster) {
        explain_overlap(plan, evaluator, found);
    } else {
        explain_blocking(plan, costs, found, seconds);
    }
    return plan;
}

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

void set_tile(Plan& plan, const RankCosts& costs) {
    plan.tile = std::max<std::uint64_t>(1, usual_size(plan.messages) / plan.workload.grain);
    plan.packing = costs.packing;
    // Blocks are packed while others travel, where there are others.
    if (plan.packing == Packing::blocked && plan.messages.count() * costs.peers == 1)
        plan.packing = Packing::copy;
}

}  // namespace lapwing

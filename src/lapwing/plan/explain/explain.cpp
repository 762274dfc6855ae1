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
    // But for the processor time that messages steal, and for messages that do not advance, what
    // overlaps does no worse than what does not.
    const double stolen = costs.computing.workload.compute - idle.workload.compute;
    return std::max(blocking, found.best.seconds - stolen);
}

/// The best of the kinds of messages that `chosen` is not. `unhidden` seconds come on top of those
/// that overlap.
RunnerUp best_other_kind(const Shortlist& list, const Messages& chosen, double unhidden) {
    const auto& runs = list.equal.candidate.messages.runs();
    const std::uint64_t size = runs.empty() ? 0 : runs.front().size;
    const bool whole = chosen.count() == 1;
    const bool equal = !whole && size > 0 && chosen.runs().front().size == size &&
                       chosen.count() == (chosen.volume() + size - 1) / size;
    RunnerUp best{{}, never};
    const auto offer = [&](double seconds, std::string what) {
        if (seconds < best.predicted) best = {std::move(what), seconds};
    };
    if (!whole) offer(list.whole.seconds, "not split");
    if (!equal)
        offer(list.equal.seconds + unhidden,
              "equal messages of " + std::to_string(size) + " bytes");
    if (whole || equal) offer(list.unequal.seconds + unhidden, "messages of unequal size");
    return best.what.empty() ? RunnerUp() : best;
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

/// Why the plan overlaps.
void explain_overlap(Plan& plan, const Evaluator& evaluator, const Found& found) {
    const RankCosts& costs = evaluator.costs();
    const double unhidden = evaluator.unhidden_seconds();
    plan.poll_interval = costs.progress.poll_interval;
    plan.poll_reason = costs.progress.reason;
    plan.runner_up = is_independent(costs.workload)
                         ? RunnerUp{"no overlap", plan.blocking}
                         : best_other_kind(found.list, plan.messages, unhidden);
    plan.bound = found.lost_to_queue > search_options.exact * plan.predicted
                     ? Bound::queue
                     : bound_of(plan, costs, unhidden);
    const bool shared = std::ranges::any_of(plan.messages.runs(), [&](const MessageRun& run) {
        return shares_wire(*costs.link, run.size);
    });
    if (evaluator.stream() != nullptr && shared && plan.messages.count() > 1)
        plan.pace = costs.line.G;
}

/// Why it does not. `overlapped`: seconds of the best that overlaps; infinite where nothing does.
void explain_blocking(Plan& plan, const WorkloadCosts& costs, const Found& found,
                      double overlapped) {
    plan.poll_reason = "nothing is overlapped";
    plan.bound = bound_of(plan, costs.idle, 0);
    if (costs.take_processor() && overlapped < never) {
        plan.poll_reason = "messages take the processor from the computation";
        plan.bound = Bound::progress;
        plan.runner_up = {"overlapped", overlapped};
    } else if (!is_independent(costs.idle.workload)) {
        plan.runner_up = best_other_kind(found.list, plan.messages, 0);
    } else if (overlapped < never) {
        plan.runner_up = {"overlap", overlapped};
    }
}

}  // namespace

Plan explain(const WorkloadCosts& costs, const Evaluator& evaluator, const Found& found) {
    const StreamRecurrence* const stream = evaluator.stream();
    Plan plan;
    plan.workload = costs.idle.workload;
    plan.transport = costs.idle.transport;
    plan.blocking = blocking_run_seconds(costs, evaluator, found);
    plan.limit =
        std::min(stream != nullptr ? stream->lower_bound() : lower_bound_seconds(costs.computing),
                 plan.blocking);
    const double overlapped = evaluator.overlaps(found.best.candidate)
                                  ? found.best.seconds + evaluator.unhidden_seconds()
                                  : never;
    // As fast as the blocking run is good enough where the engine chose: that is exact.
    const bool exact = stream == nullptr && !costs.take_processor();
    const bool overlap = exact ? overlapped <= plan.blocking : overlapped < plan.blocking;
    static_cast<Candidate&>(plan) =
        overlap ? found.best.candidate : blocking_candidate(costs.idle, found);
    plan.predicted = overlap ? overlapped : plan.blocking;
    set_tile(plan, overlap ? costs.computing : costs.idle);
    if (overlap)
        explain_overlap(plan, evaluator, found);
    else
        explain_blocking(plan, costs, found, overlapped);
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

#include "lapwing/plan/search/best_candidate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "lapwing/plan/candidates/neighbours.hpp"
#include "lapwing/plan/search/evaluated_set.hpp"

namespace lapwing {
namespace {

PeerOrder other(PeerOrder order) {
    return order == PeerOrder::contiguous ? PeerOrder::interleaved : PeerOrder::contiguous;
}

Candidate at_window(Candidate candidate, int window) {
    candidate.window = window;
    return candidate;
}

Candidate in_bursts(Candidate candidate, bool bursts) {
    candidate.burst = bursts ? 1 : 0;  // half of the window, once it is within the limits
    return candidate;
}

/// Evaluates the neighbours of a candidate, those first that are better most often, until one is
/// the best so far; whether there was one.
bool first_better(EvaluatedSet& set, const Candidate& centre, const CandidateLimits& limits) {
    const int window = centre.window;
    const std::uint64_t count = centre.messages.count();
    const Messages twice = halved(centre.messages);
    const Messages half = merged_pairs(centre.messages);
    const auto in_messages = [&](const Messages& messages, int wide) {
        Candidate candidate = at_window(centre, wide);
        candidate.messages = messages;
        return set.evaluate(candidate);
    };
    const auto short_last = [&](std::uint64_t number, std::uint64_t quarters, int wide) {
        return limits.any_size && number > 1 && number <= search_options.most_short_last &&
               in_messages(with_short_last(centre.messages, number, quarters), wide);
    };
    const auto other_order = [&] {
        Candidate candidate = centre;
        candidate.order = other(centre.order);
        return limits.peers > 1 && set.evaluate(candidate);
    };
    const auto other_bursts = [&](int wide) {
        return limits.bursts && set.evaluate(at_window(in_bursts(centre, centre.burst == 0), wide));
    };
    return set.evaluate(at_window(centre, 2 * window)) ||
           set.evaluate(at_window(centre, window / 2)) || in_messages(half, window) ||
           short_last(count, 3, window) || short_last(count, 2, window) ||
           short_last(count + 1, 2, window + 1) || short_last(count + 1, 2, window) ||
           in_messages(twice, window) || in_messages(half, window / 2) ||
           in_messages(twice, 2 * window) || other_order() || other_bursts(window) ||
           other_bursts(window + 1) || other_bursts(2 * window);
}

void climb(EvaluatedSet& set, const CandidateLimits& limits) {
    for (Candidate centre = set.best(); first_better(set, centre, limits);) centre = set.best();
}

/// Equal messages, few of them with a shorter last one too, at short windows. A message more or
/// less may change the order of the ranks, so none of these is near another.
void try_equal(EvaluatedSet& set, const Messages& whole, const CandidateLimits& limits) {
    const PeerOrder best = set.best().order;
    const auto try_one = [&](std::uint64_t count, std::uint64_t quarters, int window,
                             PeerOrder order, double share) {
        const Messages messages = with_short_last(whole, count, quarters);
        set.evaluate({.messages = messages, .window = window, .order = order}, share);
    };
    for (std::uint64_t count = 2; count <= search_options.most_equal_tried; ++count)
        for (const std::uint64_t quarters : {4, 3, 2})
            for (const int window : {1, 2})
                for (const PeerOrder order : {best, other(best)})
                    if (order == best || limits.peers > 1)
                        try_one(count, quarters, window, order, search_options.quick_share);
    for (const std::uint64_t count : {12, 16, 24, 32, 48, 64})
        for (const int window : {2, 8, limits.max_in_flight})
            try_one(count, 4, window, best, 4 * search_options.quick_share);
}

/// Hill climbing with restarts: evaluates `starts`, goes from the fastest to the first better
/// neighbour until there is none, and does the same with the starts at other windows, with bursts,
/// and with equal messages.
void search(EvaluatedSet& set, const std::vector<Candidate>& starts,
            const CandidateLimits& limits) {
    for (const Candidate& start : starts) set.evaluate(start);
    if (!set.any()) return;
    for (const Candidate& start : starts)
        for (const int window : {2, 4})
            set.evaluate(at_window(start, window), search_options.quick_share);
    climb(set, limits);
    // What is nowhere near may be better still.
    for (const Candidate& start : starts)
        for (const int window : {2, 4, limits.max_in_flight})
            set.evaluate(at_window(start, window));
    climb(set, limits);
    for (const int window : {4, 8, 16, 2})
        if (limits.bursts) set.evaluate(at_window(in_bursts(set.best(), true), window));
    climb(set, limits);
    if (!limits.any_size) return;
    try_equal(set, starts.front().messages, limits);
    climb(set, limits);
}

/// As many ranks as the budget allows many candidates of; all where it is enough for them.
/// `topology`: of fewer ranks. `cost_ratio`: of simulations at full size.
std::uint64_t affordable_ranks(const Evaluator& evaluator, const Messages& whole,
                               const std::optional<Topology>& topology, double budget,
                               double cost_ratio) {
    const Workload& workload = evaluator.costs().workload;
    const Candidate usual{.messages = with_short_last(whole, search_options.reduced_messages)};
    const auto too_many = [&](std::uint64_t ranks) {
        return cost_ratio * evaluator.engine().cost(scale_down(workload, ranks).workload, usual) >
               budget / search_options.candidates_needed;
    };
    std::uint64_t ranks = workload.ranks;
    if (!with_all(workload.pattern) || !too_many(ranks)) return ranks;
    while (ranks > 4 && too_many(ranks)) ranks -= 1 + ranks / 16;
    if (!topology || topology->uplinks == 0) return ranks;
    // Whole leaves, at least two of them.
    const auto leaf = static_cast<std::uint64_t>(topology->below);
    return std::max(2 * leaf, ranks / leaf * leaf);
}

/// The best at reduced size in place of `best` if it is too costly at full size, and clearly faster
/// than the best there. Latencies do not scale: its time is told by what both took at reduced size.
void take_reduced_if_faster(const EvaluatedSet& all, EvaluatedSet& few, Evaluated& best) {
    if (!few.any() || std::isfinite(all.seconds_of(few.best()))) return;
    const Evaluated reduced{few.best(), few.seconds()};
    if (all.any()) few.evaluate(best.candidate, 1);
    const double same = few.seconds_of(best.candidate);
    if (reduced.seconds >= (1 - search_options.reduced_doubt) * same) return;
    const double seconds = best.seconds * reduced.seconds / same;
    best = {reduced.candidate, std::isfinite(same) ? seconds : reduced.seconds};
}

/// Searches by the engine. Where the budget is too small for many candidates, half of it goes to a
/// reduced workload, and the best of those are evaluated at full size first.
void local_search(const Evaluator& evaluator, const TwoWayCandidates& from, double budget,
                  Found& found) {
    const auto& [list, limits, starts] = from;
    const RankCosts& costs = evaluator.costs();
    const std::uint64_t ranks = costs.workload.ranks;
    EvaluatedSet all(evaluator.engine(), limits, {.workload = costs.workload}, budget);
    if (all.evaluate(starts.front(), 1)) found.whole = all.seconds();
    // What some cost shows what others will.
    for (std::size_t i = 1; i < std::min(starts.size(), search_options.first_candidates); ++i)
        all.evaluate(starts[i]);
    const auto topology = scale_down(costs.topology, ranks);
    const std::uint64_t fewer = affordable_ranks(evaluator, starts.front().messages, topology,
                                                 budget / 2, all.cost_ratio());
    std::optional<Engine> engine;
    std::optional<EvaluatedSet> few;
    if (fewer < ranks) {
        engine.emplace(*costs.link, topology);
        few.emplace(*engine, limits, scale_down(costs.workload, fewer), budget / 2);
        all.leave(budget / 2);
        search(*few, starts, limits);
        for (const Candidate& candidate : few->fastest(search_options.best_of_reduced))
            all.evaluate(candidate);
    }
    search(all, starts, limits);
    Evaluated best{all.best(), all.seconds()};
    if (few) take_reduced_if_faster(all, *few, best);
    found.simulated = std::isfinite(best.seconds);
    if (found.simulated) found.list.best = best;
}

}  // namespace

Found best_candidate(const Evaluator& evaluator, double budget) {
    if (is_independent(evaluator.costs().workload) || evaluator.stream() != nullptr)
        return {.list = closed_form_candidates(evaluator)};
    const TwoWayCandidates from = two_way_candidates(evaluator);
    Found found{.list = from.list, .whole = from.list.whole.seconds};
    if (evaluator.fits_engine()) local_search(evaluator, from, budget, found);
    found.lost_to_queue =
        lost_to_queue(evaluator, from.limits, {found.list.best.candidate, from.list.best.seconds});
    return found;
}

}  // namespace lapwing

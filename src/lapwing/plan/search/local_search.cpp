#include "lapwing/plan/search/local_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include "lapwing/plan/candidates/neighbours.hpp"
#include "lapwing/plan/candidates/shortlist.hpp"
#include "lapwing/plan/search/evaluated_set.hpp"
#include "lapwing/plan/search_options.hpp"

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

/// The neighbours of a candidate, those first that are better most often.
class Neighbourhood {
  public:
    Neighbourhood(const Candidate& centre, const CandidateLimits& limits)
        : centre_(centre),
          limits_(limits),
          twice_(halved(centre.messages)),
          half_(merged_pairs(centre.messages)) {}

    /// Evaluates them until one is the best so far; whether there was one.
    [[nodiscard]] bool first_better(EvaluatedSet& set) const {
        const int window = centre_.window;
        const std::uint64_t count = centre_.messages.count();
        const auto in_messages = [&](const Messages& messages, int wide) {
            Candidate candidate = at_window(centre_, wide);
            candidate.messages = messages;
            return set.evaluate(candidate);
        };
        const auto short_last = [&](std::uint64_t number, std::uint64_t quarters, int wide) {
            return limits_.any_size && number > 1 && number <= search_options.most_short_last &&
                   in_messages(with_short_last(centre_.messages, number, quarters), wide);
        };
        return set.evaluate(at_window(centre_, 2 * window)) ||
               set.evaluate(at_window(centre_, window / 2)) || in_messages(half_, window) ||
               short_last(count, 3, window) || short_last(count, 2, window) ||
               short_last(count + 1, 2, window + 1) || short_last(count + 1, 2, window) ||
               in_messages(twice_, window) || in_messages(half_, window / 2) ||
               in_messages(twice_, 2 * window) || other_order(set) || other_bursts(set);
    }

  private:
    [[nodiscard]] bool other_order(EvaluatedSet& set) const {
        if (limits_.peers < 2) return false;
        Candidate candidate = centre_;
        candidate.order = other(centre_.order);
        return set.evaluate(candidate);
    }
    [[nodiscard]] bool other_bursts(EvaluatedSet& set) const {
        if (!limits_.bursts) return false;
        const Candidate candidate = in_bursts(centre_, centre_.burst == 0);
        const int window = centre_.window;
        const std::array<int, 3> windows{window, window + 1, 2 * window};
        return std::any_of(windows.begin(), windows.end(),
                           [&](int wide) { return set.evaluate(at_window(candidate, wide)); });
    }

    const Candidate& centre_;
    const CandidateLimits& limits_;
    Messages twice_;
    Messages half_;
};

void climb(EvaluatedSet& set, const CandidateLimits& limits) {
    for (;;) {
        const Candidate best = set.best();
        if (!Neighbourhood(best, limits).first_better(set)) return;
    }
}

/// Equal messages, few of them with a shorter last one too, at short windows: a message more or
/// less may change which rank is ahead of which, so that none of these is near another.
void try_equal(EvaluatedSet& set, const Messages& whole, bool orders) {
    const PeerOrder order = set.best().order;
    for (std::uint64_t count = 2; count <= search_options.most_equal_tried; ++count) {
        for (const std::uint64_t quarters : {4, 3, 2}) {
            Candidate candidate{.messages = with_short_last(whole, count, quarters)};
            for (const int window : {1, 2}) {
                candidate.window = window;
                candidate.order = order;
                set.evaluate_if_quick(candidate);
                candidate.order = other(order);
                if (orders) set.evaluate_if_quick(candidate);
            }
        }
    }
    for (const std::uint64_t count : {12, 16, 24, 32, 48, 64})
        for (const int window : {2, 8})
            set.evaluate_if_quick(
                {.messages = with_short_last(whole, count, 4), .window = window, .order = order},
                4);
}

/// Steps 1 to 3 of `local_search`.
void search(EvaluatedSet& set, const std::vector<Candidate>& starts,
            const CandidateLimits& limits) {
    for (const Candidate& start : starts) set.evaluate(start);
    if (!set.any()) return;
    for (const Candidate& start : starts)
        for (const int window : {2, 4}) set.evaluate_if_quick(at_window(start, window));
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
    try_equal(set, starts.front().messages, limits.peers > 1);
    climb(set, limits);
}

/// A workload of as many ranks as the budget allows many candidates of, and its machine.
struct Reduced {
    ReducedWorkload workload;
    Engine engine;
};

/// None where the budget is enough at full size. `cost_ratio`: of simulations at full size.
std::optional<Reduced> reduced_problem(const Evaluator& evaluator, const Messages& whole,
                                       double budget, double cost_ratio) {
    const RankCosts& costs = evaluator.costs();
    const double affordable = budget / search_options.candidates_needed;
    const Candidate usual{.messages = with_short_last(whole, search_options.reduced_messages, 4)};
    const auto takes = [&](std::uint64_t ranks) {
        return cost_ratio *
               evaluator.engine().cost(scale_down(costs.workload, ranks).workload, usual);
    };
    std::uint64_t ranks = costs.workload.ranks;
    if (!with_all(costs.workload.pattern) || takes(ranks) <= affordable) return std::nullopt;
    const auto topology = scale_down(costs.topology, ranks);
    while (ranks > 4 && takes(ranks) > affordable) ranks -= 1 + ranks / 16;
    if (topology && topology->uplinks > 0) {
        // Whole leaves, at least two of them.
        const auto leaf = static_cast<std::uint64_t>(topology->below);
        ranks = std::max(2 * leaf, ranks / leaf * leaf);
    }
    if (ranks >= costs.workload.ranks) return std::nullopt;
    return Reduced{scale_down(costs.workload, ranks), Engine(*costs.link, topology)};
}

/// The best at reduced size if it is too costly at full size, and clearly faster than the best
/// there. Latencies do not scale: its time is told by what both took at reduced size.
void take_reduced_if_faster(const EvaluatedSet& all, EvaluatedSet& few, SearchResult& result) {
    if (!few.any() || !std::isinf(all.seconds_of(few.best()))) return;
    const Candidate fastest = few.best();
    const double seconds = few.seconds();
    if (all.any()) few.evaluate(result.best, 1);
    const double same = few.seconds_of(result.best);
    if (seconds >= (1 - search_options.reduced_doubt) * same) return;
    result.best = fastest;
    result.seconds = std::isfinite(same) ? result.seconds * seconds / same : seconds;
}

}  // namespace

SearchResult local_search(const Evaluator& evaluator, const std::vector<Candidate>& starts,
                          const CandidateLimits& limits, double budget) {
    const Workload& workload = evaluator.costs().workload;
    EvaluatedSet all(evaluator.engine(), limits, {.workload = workload}, budget);
    SearchResult result;
    if (all.evaluate(starts.front(), 1)) result.first_seconds = all.seconds();
    // What some cost shows what others will.
    for (std::size_t i = 1; i < std::min(starts.size(), search_options.first_candidates); ++i)
        all.evaluate(starts[i]);
    const auto reduced =
        reduced_problem(evaluator, starts.front().messages, budget / 2, all.cost_ratio());
    std::optional<EvaluatedSet> few;
    if (reduced) {
        few.emplace(reduced->engine, limits, reduced->workload, budget / 2);
        all.leave(budget / 2);
        search(*few, starts, limits);
        for (const Candidate& candidate : few->fastest(search_options.best_of_reduced))
            all.evaluate(candidate);
    }
    search(all, starts, limits);
    result.best = all.best();
    result.seconds = all.seconds();
    if (few) take_reduced_if_faster(all, *few, result);
    return result;
}

}  // namespace lapwing

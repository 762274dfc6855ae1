#pragma once

#include <limits>
#include <vector>

#include "lapwing/plan/candidates/candidate_limits.hpp"
#include "lapwing/plan/evaluate/evaluator.hpp"

namespace lapwing {

/// What a search found; no messages and infinite where nothing could be simulated.
struct SearchResult {
    Candidate best;
    double seconds = std::numeric_limits<double>::infinity();
    double first_seconds = std::numeric_limits<double>::infinity();  ///< of the first start
};

/// Hill climbing with restarts, by the engine:
///
/// 1. evaluates `starts` (one at least) in their order;
/// 2. goes from the fastest to the first better neighbour until there is none: half or twice the
///    messages, half or twice the window, the other order of peers, bursts, a shorter last message;
/// 3. does the same with the starts at other windows, with bursts, and with equal messages;
/// 4. ends when `budget` (see `Engine::cost`) is used up.
///
/// Where the budget is too small for many candidates, half of it goes to a reduced workload, and
/// the best of those are evaluated at full size first. One that is too costly at full size is still
/// chosen if it is clearly faster at reduced size; its time is then scaled from there.
[[nodiscard]] SearchResult local_search(const Evaluator& evaluator,
                                        const std::vector<Candidate>& starts,
                                        const CandidateLimits& limits, double budget);

}  // namespace lapwing

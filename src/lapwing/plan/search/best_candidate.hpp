#pragma once

#include "lapwing/plan/candidates/shortlist.hpp"

namespace lapwing {

/// What the search for a workload's plan found.
struct Found {
    /// The best of each kind, by a recurrence, and of all, by the engine where that chose.
    Shortlist list;
    double whole = 0;          ///< of one message with each peer, by the judge of the best: seconds
    double lost_to_queue = 0;  ///< by an interface's short queue, seconds, about
    bool simulated = false;    ///< whether the engine chose
};

/// The best candidate of a workload: from closed forms where they are exact, elsewhere by a local
/// search with the engine. `budget`: of the engine, see `Engine::cost`.
[[nodiscard]] Found best_candidate(const Evaluator& evaluator, double budget);

}  // namespace lapwing

#pragma once

#include <vector>

#include "lapwing/plan/candidates/candidate_limits.hpp"
#include "lapwing/plan/candidates/shortlist.hpp"
#include "lapwing/plan/evaluate/evaluator.hpp"

namespace lapwing {

/// The candidates of a pattern of many ranks, and of a stream without a closed form, and where the
/// engine's search is to begin.
struct TwoWayCandidates {
    Shortlist list;  ///< by the recurrence of one rank, each at the window that suits it
    CandidateLimits limits;
    std::vector<Candidate> starts;  ///< for the engine, in this order: the first is `list.whole`
};

/// Equal messages of many sizes (of measured ones where exposed times were measured), those of the
/// software pipeline, and ramps where computation is on both sides.
[[nodiscard]] TwoWayCandidates two_way_candidates(const Evaluator& evaluator);

/// Seconds that `best` would take less, by the recurrence of one rank, if the interface's queue
/// were deeper.
[[nodiscard]] double lost_to_queue(const Evaluator& evaluator, const CandidateLimits& limits,
                                   const Evaluated& best);

}  // namespace lapwing

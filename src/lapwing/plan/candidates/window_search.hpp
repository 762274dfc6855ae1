#pragma once

#include "lapwing/plan/candidates/candidate_limits.hpp"
#include "lapwing/plan/candidates/shortlist.hpp"
#include "lapwing/plan/evaluate/rank_recurrence.hpp"

namespace lapwing {

/// The window that suits `messages`, by the recurrence of one rank: the narrowest of those that are
/// hardly slower, and no narrower than `least`. The candidate is in bursts if `in_bursts`.
[[nodiscard]] Evaluated at_best_window(const RankRecurrence& rank, const Messages& messages,
                                       const CandidateLimits& limits, int least, bool in_bursts);

}  // namespace lapwing

#pragma once

#include "lapwing/plan/candidates/shortlist.hpp"
#include "lapwing/plan/evaluate/evaluator.hpp"

namespace lapwing {

/// The candidates of a one-way stream that has a closed form: messages of unequal size, each of
/// which arrives when the one before it is consumed (`Chain`), corrected for a sender that issues
/// them one by one; equal messages; and, where lines do not tell, messages of measured sizes.
///
/// Where the best messages straddle the eager limit the engine chooses among wider windows for
/// them, and messages that are all eager.
[[nodiscard]] Shortlist stream_candidates(const Evaluator& evaluator);

}  // namespace lapwing

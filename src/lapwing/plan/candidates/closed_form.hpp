#pragma once

#include "lapwing/plan/candidates/shortlist.hpp"
#include "lapwing/plan/evaluate/evaluator.hpp"

namespace lapwing {

/// The candidates of a workload whose seconds have a closed form.
///
/// Of a one-way stream: messages of unequal size, each of which arrives when the one before it is
/// consumed (`chain_candidates`), corrected for a sender that issues them one by one; equal
/// messages; and, where lines do not tell, messages of measured sizes. Where the best messages
/// straddle the eager limit the engine chooses among wider windows for them, and messages that are
/// all eager.
///
/// Where the computation needs no message, one with each peer is best, unless only smaller ones
/// advance without calls, or the wire is faster at other measured sizes.
[[nodiscard]] Shortlist closed_form_candidates(const Evaluator& evaluator);

}  // namespace lapwing

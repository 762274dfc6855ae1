#pragma once

#include "lapwing/plan/candidates/shortlist.hpp"
#include "lapwing/plan/evaluate/evaluator.hpp"

namespace lapwing {

/// The candidates where the computation needs no message. One message with each peer is best,
/// unless only smaller ones advance without calls, or the wire is faster at other measured sizes.
[[nodiscard]] Shortlist independent_candidates(const Evaluator& evaluator);

}  // namespace lapwing

#pragma once

#include "lapwing/plan/costs/rank_costs.hpp"
#include "lapwing/plan/messages.hpp"

namespace lapwing {

/// Seconds of `messages` with each peer where the computation needs none of them: all are
/// initiated, then all is computed, then all are awaited. `unhidden` seconds of them nothing hides.
/// Where costs are no straight line between measured sizes, the wire takes for each message what a
/// flood of its size takes.
[[nodiscard]] double independent_seconds(const RankCosts& costs, const Messages& messages,
                                         double unhidden);

}  // namespace lapwing

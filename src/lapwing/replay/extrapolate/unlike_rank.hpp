#pragma once

#include <optional>

#include "lapwing/record/recording.hpp"
#include "lapwing/replay/extrapolate/grown_grid.hpp"
#include "lapwing/replay/extrapolate/irregular.hpp"

namespace lapwing::replay {

/// Looks whether all ranks that stand alike in a grid communicate alike. They then have the same
/// calls in the same order, with partners at the same distances and the same tags. Sizes, times and
/// the order in which requests end may differ. Returns the first rank that does not, or whose
/// records tell too little of a larger grid. All communicators of the recording have an `extent` in
/// the grid.
[[nodiscard]] std::optional<Irregular> unlike_rank(const record::Recording& recording,
                                                   const RankGrid& grid, const Reach& reach);

}  // namespace lapwing::replay

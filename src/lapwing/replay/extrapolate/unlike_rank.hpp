#pragma once

#include <optional>

#include "lapwing/record/recording.hpp"
#include "lapwing/replay/extrapolate/grown_grid.hpp"
#include "lapwing/replay/extrapolate/irregular.hpp"

namespace lapwing::replay {

/// Looks whether all ranks that stand alike in a grid communicate alike: the same calls one after
/// the other, with partners at the same distances, by the same tags. Sizes, times and the order in
/// which requests end may differ. Returns the first that does not, or whose records do not tell
/// what a larger grid would do. All communicators of the recording have an `extent` in the grid.
[[nodiscard]] std::optional<Irregular> unlike_rank(const record::Recording& recording,
                                                   const RankGrid& grid, const Reach& reach);

}  // namespace lapwing::replay

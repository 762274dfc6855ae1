#pragma once

#include <cstdint>

#include "lapwing/record/recording.hpp"
#include "lapwing/replay/extrapolate/grown_grid.hpp"

namespace lapwing::replay {

/// The grid of `ranks` ranks, of the same kind as the one in which those of a recording
/// communicate, that each have the work of a recorded one. The recorded grid is the first that
/// fits, those of fewer dimensions first. In it each dimension is longer than messages go both
/// ways. All communicators are rows, columns, planes or the whole. Ranks that stand alike
/// communicate alike (`unlike_rank`).
///
/// Throws `std::invalid_argument` with the file's name if `ranks` is no multiple of the recording's
/// ranks, or if there is no such grid. It names a rank and a record that do not fit.
[[nodiscard]] GrownGrid find_grid(const record::Recording& recording, std::uint64_t ranks);

}  // namespace lapwing::replay

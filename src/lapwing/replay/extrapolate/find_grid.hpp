#pragma once

#include <cstdint>

#include "lapwing/record/recording.hpp"
#include "lapwing/replay/extrapolate/grown_grid.hpp"

namespace lapwing::replay {

/// The grid of `ranks` ranks, of the same kind as the one in which those of a recording
/// communicate, that each have the work of a recorded one. That is the first of all grids, those of
/// fewer dimensions first, in which messages go so far that no rank is near both ends, all
/// communicators are rows, columns, planes or the whole, and ranks that stand alike communicate
/// alike.
///
/// Throws `std::invalid_argument` with the file's name if `ranks` is no multiple of the recording's
/// ranks, or if there is no such grid; it names a rank and a record that do not fit.
[[nodiscard]] GrownGrid find_grid(const record::Recording& recording, std::uint64_t ranks);

}  // namespace lapwing::replay

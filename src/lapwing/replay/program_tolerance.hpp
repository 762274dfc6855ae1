#pragma once

#include <vector>

#include "lapwing/record/recording.hpp"
#include "lapwing/replay/longest_path.hpp"
#include "lapwing/replay/options.hpp"
#include "lapwing/replay/tolerance.hpp"

namespace lapwing::replay {

/// How the time of a recorded program depends on what is varied of the network.
struct ProgramTolerance {
    /// Nanoseconds of it within which the time stays within each share of what it is;
    /// infinite where it always does.
    std::vector<double> zones;
    /// The curve up to twice the time, or up to a second of it.
    Curve curve;
};

/// Finds that, of `shares` such as 0.01. Throws as `replay` does.
[[nodiscard]] ProgramTolerance program_tolerance(const record::Recording& recording,
                                                 const PathCosts& costs, const Options& options,
                                                 Varied varied, const std::vector<double>& shares);

}  // namespace lapwing::replay

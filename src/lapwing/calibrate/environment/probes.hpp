#pragma once

#include <functional>
#include <vector>

#include "lapwing/calibrate/ranks/rank_pair.hpp"

namespace lapwing {

/// Reads one indicator of the environment of two ranks.
struct EnvironmentProbe {
    const char* name;  ///< of the indicator
    double tolerance;  ///< of the indicator
    /// Seconds; 0 if the indicator cannot be read here. Both ranks call it; rank 0's result counts.
    std::function<double(RankPair&)> read;
};

/// All probes that work for the two ranks, which call this together: none in simulated time. A
/// further indicator is one more entry of this list.
std::vector<EnvironmentProbe> environment_probes(RankPair& pair);

}  // namespace lapwing

#pragma once

#include <functional>

#include "lapwing/calibrate/sampling/sampling.hpp"

namespace lapwing {

/// Samples one quantity until its error is small enough or the budget is spent. Both ranks call
/// `measure()`, which returns one sample on rank 0; the result is rank 0's.
Estimate sample_until_known(RankPair& pair, const SamplingGoal& goal, NoiseCounts& noise,
                            const std::function<double()>& measure);

}  // namespace lapwing

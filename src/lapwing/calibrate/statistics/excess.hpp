#pragma once

#include "lapwing/calibrate/statistics/estimate.hpp"

namespace lapwing {

/// Seconds that `longer` takes beyond `shorter`. 0 if that is less than what the two are uncertain
/// by together, or less than a nanosecond, which no clock tells: such a difference says nothing.
double excess(const Estimate& longer, const Estimate& shorter);

}  // namespace lapwing

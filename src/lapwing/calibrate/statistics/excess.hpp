#pragma once

#include "lapwing/calibrate/statistics/estimate.hpp"

namespace lapwing {

/// Seconds that `longer` takes beyond `shorter`. It is 0 if the difference is below the error of
/// the two together, or below a nanosecond, which no clock tells.
double excess(const Estimate& longer, const Estimate& shorter);

}  // namespace lapwing

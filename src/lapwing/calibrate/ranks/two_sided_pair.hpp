#pragma once

#include "lapwing/calibrate/ranks/rank_pair.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

namespace lapwing {

/// Two ranks that exchange MPI messages: what calibration measures.
using TwoSidedPair = TransportPair<TwoSided>;

}  // namespace lapwing

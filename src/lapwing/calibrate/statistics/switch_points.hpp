#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "lapwing/calibrate/statistics/estimate.hpp"

namespace lapwing {

/// A message size at which a time jumps, because the transport treats longer messages differently.
struct SwitchPoint {
    std::uint64_t size = 0;  ///< bytes: the largest size before the jump
    double jump = 0;         ///< seconds that one byte more adds; may be negative
};

/// The sizes at which a time jumps. There it changes from one size to the next by far more than the
/// slope around it, the noise, and `share` of the time itself. Where the time changes too much
/// between two known sizes, bisection tells a jump, all of which stays in one half, from a slope
/// that changes. Exact to the byte if the noise allows it.
///
/// `known`: seconds by size in bytes, over the range to search. `probe(size)`: measures another
/// size, or a known one again.
std::vector<SwitchPoint> switch_points(const std::map<std::uint64_t, Estimate>& known,
                                       const std::function<Estimate(std::uint64_t)>& probe,
                                       double share = 0.1);

}  // namespace lapwing

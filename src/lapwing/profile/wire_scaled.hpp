#pragma once

#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// The profile of the same machine with a slower or faster network: latency and time per byte
/// between its nodes are multiplied by `factor` (above 0). Processor times stay, and so do `pairs`.
[[nodiscard]] Profile with_wire_scaled(Profile profile, double factor);

}  // namespace lapwing

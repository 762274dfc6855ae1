#pragma once

#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// The same machine with a wire between its nodes on which everything takes `factor` times as long,
/// latency and bytes alike. Processors are as they were, and so are pairs of ranks measured beside
/// the main one. `factor` above 0.
[[nodiscard]] Profile with_wire_scaled(Profile profile, double factor);

}  // namespace lapwing

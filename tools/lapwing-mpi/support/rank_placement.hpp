#pragma once

#include <nlohmann/json.hpp>

namespace lapwing::tools {

/// Where each rank is and what it could send through, rank by rank: host, network namespace, the
/// processors it may use, its network interfaces as the kernel describes them. Called by all ranks
/// together; the result is rank 0's. Empty on a simulated cluster.
nlohmann::ordered_json gather_places();

}  // namespace lapwing::tools

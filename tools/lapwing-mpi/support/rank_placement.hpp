#pragma once

#include <string>
#include <vector>

namespace lapwing::tools {

/// Where each rank is: its host, its network namespace, the processors it may use, and its network
/// interfaces as the kernel describes them. A list by rank, on rank 0; empty on a simulated
/// cluster. All ranks call it.
[[nodiscard]] std::vector<std::string> gather_places();

}  // namespace lapwing::tools

#pragma once

#include <cstddef>
#include <vector>

#include "lapwing/replay/path_costs.hpp"
#include "lapwing/replay/path_tree.hpp"
#include "lapwing/simulate/program/call.hpp"

namespace lapwing::replay {

/// Of what the longest path of a program consists.
struct CriticalPath {
    double time = 0;               ///< nanoseconds: of all of it
    double computed = 0;           ///< of them, computation
    std::vector<PathShare> sites;  ///< of the messages that each call site sends
};

/// Finds it, as `longest_path` does, in one walk. Of two paths that are equally long it is either.
/// `sites`: how many call sites there are. Throws `simulate::Deadlock`.
[[nodiscard]] CriticalPath critical_path(simulate::CallSource& source, const PathCosts& costs,
                                         std::size_t sites);

}  // namespace lapwing::replay

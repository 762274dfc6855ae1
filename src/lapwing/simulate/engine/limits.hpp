#pragma once

#include <cstdint>
#include <limits>

#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::simulate {

/// How far a simulation goes. One that goes farther is given up: `Result::ended` is false then.
struct Limits {
    Time time = longest_time;  ///< ticks
    /// Visits of links to reallocate the bandwidth that messages share.
    std::uint64_t link_updates = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace lapwing::simulate

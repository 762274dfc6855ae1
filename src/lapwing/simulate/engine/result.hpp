#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::simulate {

/// When the ranks of a schedule end.
struct Result {
    Time finish = 0;                 ///< when the last rank ends, ticks
    std::vector<Time> rank_finish;   ///< when each rank ends: its processors' last busy tick
    std::uint64_t events = 0;        ///< operations and messages together
    std::uint64_t messages = 0;      ///< messages received
    std::uint64_t link_updates = 0;  ///< visits of links to reallocate their bandwidth
    bool ended = true;               ///< false: its `Limits` ended it, and all else is so far
};

/// A schedule cannot end. The message says in one line which operation waits, and for what.
class Deadlock : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace lapwing::simulate

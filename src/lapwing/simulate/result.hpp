#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "lapwing/simulate/time.hpp"

namespace lapwing::simulate {

/// How a schedule went.
struct Result {
    Time finish = 0;                ///< when the last rank ended, ticks
    std::vector<Time> rank_finish;  ///< when each rank ended: its processors' last busy tick
    std::uint64_t events = 0;       ///< operations done and messages received
    std::uint64_t messages = 0;     ///< of these, messages
};

/// A schedule that cannot end: what waits for what, in one line.
class Deadlock : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace lapwing::simulate

#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::simulate {

/// Looks at links after which a schedule is given up: never.
inline constexpr std::uint64_t unlimited_link_updates = std::numeric_limits<std::uint64_t>::max();

/// How a schedule went.
struct Result {
    Time finish = 0;                 ///< when the last rank ended, ticks
    std::vector<Time> rank_finish;   ///< when each rank ended: its processors' last busy tick
    std::uint64_t events = 0;        ///< operations done and messages received
    std::uint64_t messages = 0;      ///< of these, messages
    std::uint64_t link_updates = 0;  ///< at links, to share them out among messages
    bool ended = true;               ///< or it was given up, and the rest is what there was by then
};

/// A schedule that cannot end: what waits for what, in one line.
class Deadlock : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace lapwing::simulate

#pragma once

#include <cstdint>
#include <string>

#include "lapwing/calibrate/ranks/pair_messages.hpp"
#include "lapwing/calibrate/sampling/time_share.hpp"
#include "lapwing/calibrate/statistics/estimate.hpp"

namespace lapwing {

/// Messages between two ranks, and which of the two send.
struct TransferDirections {
    std::uint64_t size = 0;   ///< bytes of a message
    std::uint64_t count = 1;  ///< messages of each rank that sends
    int window = 1;           ///< messages in flight each way
    bool there = true;        ///< rank 0 sends
    bool back = true;         ///< rank 1 sends
};

/// Seconds from a common start until both ranks have all that was sent, on rank 0. Each rank posts
/// a message's receive before it sends its own.
double transfer(TwoSidedPair& pair, Buffers& buffers, const TransferDirections& directions);

/// What messages one way take, and both ways at once.
struct Bidirectional {
    Estimate one_way;  ///< seconds, of the slower direction
    /// Both ways at once over one way, the two timed in turn: 1 if the directions do not disturb
    /// each other, 2 if they take turns.
    Estimate slowdown;

    [[nodiscard]] double both() const { return slowdown.median * one_way.median; }  ///< seconds
};

/// Measures how much two ranks that both send slow each other down, as one quantity of
/// `time_share`, which `what` names. `there` and `back` of `directions` are ignored. The result is
/// rank 0's.
Bidirectional measure_bidirectional(TwoSidedPair& pair, TimeShare& time_share,
                                    const std::string& what, Buffers& buffers,
                                    TransferDirections directions);

}  // namespace lapwing

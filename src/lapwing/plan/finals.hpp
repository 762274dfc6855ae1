#pragma once

#include <cstdint>
#include <vector>

#include "lapwing/plan/plan.hpp"

namespace lapwing {

/// A way to run a workload that may be the best.
struct Finalist {
    Messages messages;
    int window = 1;
    PeerOrder order = PeerOrder::contiguous;
    friend bool operator==(const Finalist&, const Finalist&) = default;
};

/// What no finalist may exceed.
struct FinalLimits {
    std::uint64_t peers = 1;    ///< that share the window
    std::uint64_t largest = 0;  ///< bytes of a message, but for one that is all there is
    int deepest = 1;            ///< messages in flight
};

/// Plays the finalists by the engine, event by event with the contention of all ranks, in this
/// order; goes from the fastest to whatever is faster by half or twice the messages, half or twice
/// the window, or the other order of peers, until nothing is; does the same with the finalists at
/// other windows; and ends when a planner's time is over. `plan`: transport and workload; gets the
/// messages, window and order of the fastest. Returns the seconds it takes, infinite, and no
/// change, where none could be played.
[[nodiscard]] double finals(const Profile& profile, Plan& plan,
                            const std::vector<Finalist>& finalists, const FinalLimits& limits);

}  // namespace lapwing

#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "lapwing/plan/plan.hpp"

namespace lapwing {

/// Messages, of all ranks and all finalists together, that a planner has time to play.
inline constexpr double messages_to_play = 30000;

/// Seconds: a schedule that takes longer is not told in the engine's ticks.
inline constexpr double longest_to_play = 1e3;

/// A way to run a workload that may be the best.
struct Finalist {
    Messages messages;
    int window = 1;
    PeerOrder order = PeerOrder::contiguous;
    bool in_bursts = false;  ///< of half a window; otherwise messages are initiated one by one
    friend bool operator==(const Finalist&, const Finalist&) = default;
};

/// What no finalist may exceed.
struct FinalLimits {
    std::uint64_t peers = 1;    ///< that share the window
    std::uint64_t largest = 0;  ///< bytes of a message, but for one that is all there is
    int deepest = 1;            ///< messages in flight
    /// Bytes of them, about, that were seen to be of use in a long exchange. What is initiated
    /// before the first computation hides nothing, so that of a short one it is no more than a
    /// sixteenth, or two messages.
    double in_flight = std::numeric_limits<double>::infinity();
    bool any_size = true;  ///< not only those measured, and halves and doubles of finalists
    bool bursts = false;   ///< whether that they are initiated in bursts is a choice
};

/// The widest window for these messages: as many of them as there may be bytes in flight.
[[nodiscard]] int widest(const Messages& messages, const FinalLimits& limits);

/// What finals come to, seconds: infinite where nothing could be played.
struct Outcome {
    double best = std::numeric_limits<double>::infinity();   ///< of the fastest
    double first = std::numeric_limits<double>::infinity();  ///< of the first finalist
};

/// Plays the finalists by the engine, event by event with the contention of all ranks, in this
/// order; goes from the fastest to whatever is faster by half or twice the messages, half or twice
/// the window, the other order of peers, bursts, or a shorter last message, until nothing is; does
/// the same with the finalists at other windows; and ends after `effort`, see `Rehearsal::effort`.
/// Where that is not enough for many, half of it is spent on all of that among fewer ranks, and the
/// rest begins with the fastest of those; what takes too long among all wins if it is clearly
/// faster among few. `plan`: transport and workload; gets the messages, window and order of the
/// fastest, or none of them where no finalist could be played.
[[nodiscard]] Outcome finals(const Profile& profile, Plan& plan,
                             const std::vector<Finalist>& finalists, const FinalLimits& limits,
                             double effort);

}  // namespace lapwing

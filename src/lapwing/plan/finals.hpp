#pragma once

#include <limits>
#include <vector>

#include "lapwing/plan/finalist.hpp"
#include "lapwing/plan/plan.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// Messages, of all ranks and all finalists together, that a planner has time to play.
inline constexpr double messages_to_play = 30000;

/// Seconds: a schedule that takes longer is not told in the engine's ticks.
inline constexpr double longest_to_play = 1e3;

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

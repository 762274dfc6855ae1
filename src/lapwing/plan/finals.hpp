#pragma once

#include <vector>

#include "lapwing/plan/plan.hpp"

namespace lapwing {

/// A way to run a workload that may be the best.
struct Finalist {
    Messages messages;
    int window = 1;
    friend bool operator==(const Finalist&, const Finalist&) = default;
};

/// Plays the finalists by the engine, event by event with the contention of all ranks, in this
/// order, as far as their messages are few enough for the time a planner has, and takes the
/// fastest. `plan`: order, transport and workload; gets its messages and window. Returns the
/// seconds it takes, infinite, and no change, where none could be played.
[[nodiscard]] double finals(const Profile& profile, Plan& plan,
                            const std::vector<Finalist>& finalists);

}  // namespace lapwing

#pragma once

#include <functional>

namespace lapwing::interfaces {

/// Runs `work` beside the ranks, in an actor of its own that may wait and call SMPI. It starts at
/// once, and works on after its initiator has gone on.
void run_beside(std::function<void()> work);

/// Waits, in a worker, as long as that. (SimGrid's sleep takes a part of a host's processor, and
/// with one activity at a time, as serialising clusters have it, that of its rank.)
void wait_beside(double seconds);

/// Whether the actor that asks is one of those, and no rank.
[[nodiscard]] bool is_worker();

}  // namespace lapwing::interfaces

#pragma once

#include "lapwing/plan/flow.hpp"
#include "lapwing/plan/plan.hpp"

namespace lapwing {

/// Seconds that the messages and the window of `way` take for a workload that may be another than
/// the one it was made for, played as our planner plays what it chooses from. `flow` of the
/// workload; the same messages with each peer.
[[nodiscard]] double evaluate(const Profile& profile, const Workload& workload, const Flow& flow,
                              const Plan& way);

}  // namespace lapwing

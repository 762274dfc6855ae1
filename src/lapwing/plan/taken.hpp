#pragma once

#include "lapwing/plan/flow.hpp"
#include "lapwing/plan/workload.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// What the system takes of the processor of a rank for its messages if all of them are under way
/// while it computes, seconds. `flow` of the workload.
[[nodiscard]] double taken(const Profile& profile, const Workload& workload, const Flow& flow);

}  // namespace lapwing

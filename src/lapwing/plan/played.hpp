#pragma once

#include "lapwing/plan/flow.hpp"
#include "lapwing/plan/plan.hpp"

namespace lapwing {

/// Our planner for patterns of many ranks, and where both ranks of a stream send: sizes and windows
/// are played (`simulate::RepresentativeRank`), equal messages of many sizes and those of a chain,
/// and the fastest kept. `flow` of the workload, all as `plan` has checked them.  `effort`: of the
/// finals, as many messages.
[[nodiscard]] Plan plan_played(const Profile& profile, const Workload& workload, const Flow& flow,
                               double effort);

/// Seconds that the messages of `way` take at its window.
[[nodiscard]] double play_exchange(const Profile& profile, const Workload& workload,
                                   const Flow& flow, const Plan& way);

}  // namespace lapwing

#pragma once

#include <functional>
#include <string>

#include "lapwing/calibrate/ranks/rank_group.hpp"
#include "lapwing/plan/workload.hpp"
#include "trials/trial.hpp"

namespace lapwing::tools {

/// Calls `action` with the trial of a workload of many ranks, which is complete, over a transport:
/// "two-sided", "put" or "get"; collectives have their own. All ranks of the group call it. Throws
/// `std::invalid_argument` for what cannot be run.
void with_pattern_trial(RankGroup& group, const Workload& workload, const std::string& transport,
                        const std::function<void(Trial&)>& action);

}  // namespace lapwing::tools

#pragma once

#include <functional>
#include <string>

#include "lapwing/calibrate/ranks/rank_group.hpp"
#include "lapwing/plan/workload.hpp"
#include "trials/trial.hpp"

namespace lapwing::tools {

/// Makes the trial of a workload and calls `action` with it. `workload` is complete; `transport` is
/// the name of a `MessageTransport`, and "two-sided" for collectives, which have a transport of
/// their own. All ranks of the group call it. Throws `std::invalid_argument` for what cannot be
/// run.
void with_trial(RankGroup& group, const Workload& workload, const std::string& transport,
                const std::function<void(Trial&)>& action);

}  // namespace lapwing::tools

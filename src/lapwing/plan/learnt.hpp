#pragma once

#include <string>

#include "lapwing/plan/messages.hpp"
#include "lapwing/plan/observed.hpp"
#include "lapwing/plan/workload.hpp"

namespace lapwing {

/// What a `Tuner` found out about a loop on a machine: enough for another run of the program to
/// begin where this one ended.
struct Learnt {
    Workload workload;        ///< with the computation that was seen
    std::string fingerprint;  ///< of the machine's profile; empty where unknown
    double wire = 1;          ///< times that messages take longer than the profile says
    Observed blocking;        ///< a step that does not overlap
    Observed step;            ///< a step of the plan below
    Messages messages;        ///< the plan that was found to be fastest, as `Plan` has it
    int window = 1;
    double poll_interval = 0;
};

}  // namespace lapwing

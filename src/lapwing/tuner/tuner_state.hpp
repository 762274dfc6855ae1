#pragma once

#include <string>

#include "lapwing/plan/messages.hpp"
#include "lapwing/plan/workload.hpp"
#include "lapwing/tuner/step_times.hpp"

namespace lapwing {

/// What a `Tuner` learnt about a loop on a machine: another run of the program begins with it.
struct TunerState {
    Workload workload;        ///< with the computation that was measured
    std::string fingerprint;  ///< of the machine's profile; empty where unknown
    double wire = 1;          ///< factor on the wire time that the profile says
    StepTimes blocking;       ///< a step that does not overlap
    StepTimes step;           ///< a step of the plan below
    Messages messages;        ///< of the fastest plan, as `Plan` has it
    int window = 1;
    double poll_interval = 0;
};

}  // namespace lapwing

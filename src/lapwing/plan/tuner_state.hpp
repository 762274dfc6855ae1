#pragma once

#include <string>

#include "lapwing/plan/messages.hpp"
#include "lapwing/plan/workload.hpp"
#include "lapwing/profile/fields.hpp"

namespace lapwing {

/// Times of one step of a program's loop, in which a plan is run once, on one rank. Seconds.
struct StepTimes {
    double elapsed = 0;      ///< from the beginning of the step to its end
    double computation = 0;  ///< of it, the program's own work
    double wait = 0;         ///< of it, waiting for messages
    friend bool operator==(const StepTimes&, const StepTimes&) = default;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("elapsed", self.elapsed, fields::Cost{});
        visit("computation", self.computation, fields::Cost{});
        visit("wait", self.wait, fields::Cost{});
    }
};

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

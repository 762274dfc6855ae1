#pragma once

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

}  // namespace lapwing

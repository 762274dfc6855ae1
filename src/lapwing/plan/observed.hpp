#pragma once

namespace lapwing {

/// What one step of a program's loop, in which a plan is run once, took a rank. Seconds.
struct Observed {
    double elapsed = 0;      ///< from the beginning of the step to its end
    double computation = 0;  ///< of it, the program's own work
    double wait = 0;         ///< of it, waiting for messages
    friend bool operator==(const Observed&, const Observed&) = default;
};

}  // namespace lapwing

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "lapwing/compute/clock.hpp"
#include "lapwing/io/trace_event.hpp"
#include "lapwing/tuner/step_times.hpp"

namespace lapwing {

/// Times one step of a loop, from the moment it is made: seconds by activity, as a `Trace` has
/// them, without the events. It is the last argument of a template. What the program computes
/// outside of templates it adds itself, as `Activity::computation`.
class StepTimer {
  public:
    using Time = double;
    [[nodiscard]] static Time start() { return now(); }
    /// `activity` began at `since` and ends now.
    void add(Activity activity, Time since) {
        seconds_[static_cast<std::size_t>(activity)] += now() - since;
    }

    /// Seconds spent on one activity so far.
    [[nodiscard]] double seconds(Activity activity) const {
        return seconds_[static_cast<std::size_t>(activity)];
    }
    /// Seconds of the step so far. Polls take place inside of computation and are not counted as
    /// it.
    [[nodiscard]] StepTimes times() const {
        const double work = seconds(Activity::computation) + seconds(Activity::consumption);
        return {.elapsed = now() - began_,
                .computation = std::max(0.0, work - seconds(Activity::poll)),
                .wait = seconds(Activity::wait)};
    }

  private:
    Time began_ = now();
    std::array<double, activities> seconds_{};
};

}  // namespace lapwing

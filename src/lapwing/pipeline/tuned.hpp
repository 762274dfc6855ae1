#pragma once

#include <concepts>
#include <utility>

#include "lapwing/pipeline/trace/step_timer.hpp"
#include "lapwing/tuner/tuner.hpp"

namespace lapwing {

/// Runs one step of a loop by the tuner's present plan, and tells the tuner how long it took. It
/// calls `body(plan, timer)`. The body runs `stream`, `pipeline` or another template by that plan,
/// and passes the timer to it. An exception of the body leaves the tuner as it was.
///
///     lapwing::tuned(tuner, [&](const lapwing::Plan& plan, lapwing::StepTimer& timer) {
///         lapwing::stream<double>(source, plan, consume, timer);
///     });
///
/// `agree`: makes the tuners of several ranks decide alike, see `Tuner::step` and `SlowestOf`.
/// Without it nothing is communicated.
template <std::invocable<const Plan&, StepTimer&> Body, class Agree = Alone>
void tuned(Tuner& tuner, Body&& body, Agree&& agree = {}) {
    StepTimer timer;
    body(tuner.plan(), timer);
    tuner.step(timer.times(), std::forward<Agree>(agree));
}

}  // namespace lapwing

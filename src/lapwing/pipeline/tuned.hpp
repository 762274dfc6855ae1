#pragma once

#include <concepts>
#include <utility>

#include "lapwing/pipeline/trace/step_timer.hpp"
#include "lapwing/plan/tuner.hpp"

namespace lapwing {

/// One step of a loop that a tuner looks after: calls `body(plan, timer)`, which runs `stream`,
/// `pipeline` or another template by the plan and hands the timer to it, and tells the tuner what
/// it took. An exception of the body leaves the tuner as it was.
///
///     lapwing::tuned(tuner, [&](const lapwing::Plan& plan, lapwing::StepTimer& timer) {
///         lapwing::stream<double>(source, plan, consume, timer);
///     });
///
/// `agree`: see `Tuner::step`. Nothing is communicated unless by that: `SlowestOf`.
template <std::invocable<const Plan&, StepTimer&> Body, class Agree = Alone>
void tuned(Tuner& tuner, Body&& body, Agree&& agree = {}) {
    StepTimer timer;
    body(tuner.plan(), timer);
    tuner.step(timer.times(), std::forward<Agree>(agree));
}

}  // namespace lapwing

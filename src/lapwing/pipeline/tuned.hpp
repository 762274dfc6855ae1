#pragma once

#include <concepts>
#include <utility>

#include "lapwing/pipeline/watch.hpp"
#include "lapwing/plan/tuner.hpp"

namespace lapwing {

/// One step of a loop that a tuner looks after: calls `body(plan, watch)`, which runs `stream`,
/// `pipeline` or another template by the plan and hands the watch to it, and tells the tuner what
/// it took. An exception of the body leaves the tuner as it was.
///
///     lapwing::tuned(tuner, [&](const lapwing::Plan& plan, lapwing::Watch& watch) {
///         lapwing::stream<double>(source, plan, consume, watch);
///     });
///
/// `agree`: see `Tuner::step`. Nothing is communicated unless by that: `SlowestOf`.
template <std::invocable<const Plan&, Watch&> Body, class Agree = Alone>
void tuned(Tuner& tuner, Body&& body, Agree&& agree = {}) {
    Watch watch;
    body(tuner.plan(), watch);
    tuner.step(watch.observed(), std::forward<Agree>(agree));
}

}  // namespace lapwing

#pragma once

#include "lapwing/simulate/graph.hpp"
#include "lapwing/simulate/loggops.hpp"
#include "lapwing/simulate/measured.hpp"
#include "lapwing/simulate/play.hpp"
#include "lapwing/simulate/ports.hpp"
#include "lapwing/simulate/result.hpp"
#include "lapwing/simulate/schedule.hpp"
#include "lapwing/simulate/step_program.hpp"

namespace lapwing::simulate {

/// Plays a schedule that is asked for as it goes, on a LogGOPS machine or on one that was measured.
/// All ranks start at 0. Throws `Deadlock` if the schedule cannot end.
template <Schedule S>
[[nodiscard]] Result simulate(const S& schedule, const LogGOPS& costs) {
    StepProgram<S> program(schedule);
    return play(program, schedule.ranks(), OnePort(schedule.ranks()), costs);
}
template <Schedule S>
[[nodiscard]] Result simulate(const S& schedule, const Measured& costs) {
    StepProgram<S> program(schedule);
    return play(program, schedule.ranks(), OnePort(schedule.ranks()), costs);
}

/// Plays a schedule that is written out, such as one read from a GOAL file.
[[nodiscard]] Result simulate(const Graph& graph, const LogGOPS& costs);
[[nodiscard]] Result simulate(const Graph& graph, const Measured& costs);

}  // namespace lapwing::simulate

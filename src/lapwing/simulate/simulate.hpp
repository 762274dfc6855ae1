#pragma once

#include "lapwing/simulate/graph.hpp"
#include "lapwing/simulate/loggops.hpp"
#include "lapwing/simulate/machine.hpp"
#include "lapwing/simulate/measured.hpp"
#include "lapwing/simulate/ports.hpp"
#include "lapwing/simulate/result.hpp"
#include "lapwing/simulate/schedule.hpp"
#include "lapwing/simulate/step_program.hpp"

namespace lapwing::simulate {

/// Plays a schedule that is asked for as it goes. `Costs`: what messages cost, `LogGOPS` or
/// `Measured`.
/// All ranks start at 0. Throws `Deadlock` if the schedule cannot end.
template <Schedule S, class Costs>
[[nodiscard]] Result simulate(const S& schedule, const Costs& costs) {
    StepProgram<S> program(schedule);
    const std::size_t ranks = schedule.ranks();
    Machine machine(costs, OnePort(ranks), ranks, program);
    Result result = machine.run();
    program.check_ended();
    return result;
}

/// Plays a schedule that is written out, such as one read from a GOAL file.
[[nodiscard]] Result simulate(const Graph& graph, const LogGOPS& costs);
[[nodiscard]] Result simulate(const Graph& graph, const Measured& costs);

}  // namespace lapwing::simulate

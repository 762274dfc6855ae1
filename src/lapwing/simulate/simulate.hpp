#pragma once

#include <concepts>

#include "lapwing/simulate/collectives/collective.hpp"
#include "lapwing/simulate/costs/loggops.hpp"
#include "lapwing/simulate/costs/measured_machine.hpp"
#include "lapwing/simulate/engine/observer.hpp"
#include "lapwing/simulate/engine/ports.hpp"
#include "lapwing/simulate/engine/result.hpp"
#include "lapwing/simulate/program/graph.hpp"
#include "lapwing/simulate/program/schedule.hpp"
#include "lapwing/simulate/program/step_program.hpp"
#include "lapwing/simulate/run_program.hpp"

namespace lapwing::simulate {

/// Plays a schedule that is asked for as it goes, on a LogGOPS machine or on one that was measured.
/// `watch` is called with each `Interval` in which a resource is busy.
/// All ranks start at 0. Throws `Deadlock` if the schedule cannot end.
template <Schedule S, class Costs, std::invocable<const Interval&> Watch = Unobserved>
[[nodiscard]] Result simulate(const S& schedule, const Costs& costs, Watch watch = {}) {
    StepProgram<S> program(schedule);
    return run_program(program, schedule.ranks(), OnePort(schedule.ranks()), costs, watch);
}

/// Plays a collective. `observer`, where there is one, is told of each interval in which a resource
/// is busy, and may end it all by an exception.
[[nodiscard]] Result simulate(const Collective& collective, const LogGOPS& costs,
                              Observer* observer = nullptr);
[[nodiscard]] Result simulate(const Collective& collective, const MeasuredMachine& costs,
                              Observer* observer = nullptr);

/// Plays a schedule that is written out, such as one read from a GOAL file.
[[nodiscard]] Result simulate(const Graph& graph, const LogGOPS& costs,
                              Observer* observer = nullptr);
[[nodiscard]] Result simulate(const Graph& graph, const MeasuredMachine& costs,
                              Observer* observer = nullptr);
/// The same, but given up after `max_link_updates` at links that messages share.
[[nodiscard]] Result simulate(const Graph& graph, const MeasuredMachine& costs,
                              std::uint64_t max_link_updates);

}  // namespace lapwing::simulate

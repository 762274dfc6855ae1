#pragma once

#include "lapwing/simulate/collectives/collective.hpp"
#include "lapwing/simulate/costs/loggops.hpp"
#include "lapwing/simulate/costs/measured_machine.hpp"
#include "lapwing/simulate/engine/limits.hpp"
#include "lapwing/simulate/engine/observer.hpp"
#include "lapwing/simulate/engine/result.hpp"
#include "lapwing/simulate/program/call.hpp"
#include "lapwing/simulate/program/graph.hpp"

namespace lapwing::simulate {

// When each rank of a schedule ends, on a LogGOPS machine or on one that was measured. All ranks
// start at 0. `observer`, where there is one, is called with each interval in which a resource is
// busy, and may end the simulation by an exception. Throws `Deadlock` if the schedule cannot end,
// and `std::invalid_argument` if it takes longer than `Time` can hold, or if the messages of a
// collective take more memory than this machine has left.

/// Simulates a collective, and generates its messages on the way.
[[nodiscard]] Result simulate(const Collective& collective, const LogGOPS& machine,
                              Observer* observer = nullptr);
[[nodiscard]] Result simulate(const Collective& collective, const MeasuredMachine& machine,
                              Observer* observer = nullptr);

/// Simulates what the ranks of an MPI program do, call by call.
[[nodiscard]] Result simulate(CallSource& source, const LogGOPS& machine,
                              Observer* observer = nullptr);
[[nodiscard]] Result simulate(CallSource& source, const MeasuredMachine& machine,
                              Observer* observer = nullptr);

/// Simulates a schedule that is written out, such as one read from a GOAL file.
[[nodiscard]] Result simulate(const Graph& graph, const LogGOPS& machine,
                              Observer* observer = nullptr);
[[nodiscard]] Result simulate(const Graph& graph, const MeasuredMachine& machine,
                              Observer* observer = nullptr);
/// The same, within limits.
[[nodiscard]] Result simulate(const Graph& graph, const MeasuredMachine& machine,
                              const Limits& limits);

}  // namespace lapwing::simulate

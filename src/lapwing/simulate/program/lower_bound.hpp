#pragma once

#include "lapwing/simulate/costs/measured_machine.hpp"
#include "lapwing/simulate/engine/time.hpp"
#include "lapwing/simulate/program/graph.hpp"

namespace lapwing::simulate {

/// A lower bound on the time of `graph` on `machine`, in ticks, without a simulation. Its busiest
/// processor, or its busiest link from or to a node, is occupied for so long.
[[nodiscard]] Time lower_bound_ticks(const Graph& graph, const MeasuredMachine& machine);

}  // namespace lapwing::simulate

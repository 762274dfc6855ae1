#pragma once

#include "lapwing/simulate/costs/measured_machine.hpp"
#include "lapwing/simulate/engine/time.hpp"
#include "lapwing/simulate/program/graph.hpp"

namespace lapwing::simulate {

/// Ticks that playing `graph` takes at least: what the processor, or the link from or to a node,
/// that has most to do has to do. Found without playing it.
[[nodiscard]] Time lower_bound_ticks(const Graph& graph, const MeasuredMachine& costs);

}  // namespace lapwing::simulate

#pragma once

#include "lapwing/simulate/graph.hpp"
#include "lapwing/simulate/measured.hpp"
#include "lapwing/simulate/time.hpp"

namespace lapwing::simulate {

/// Ticks that playing `graph` takes at least: what the processor, or the link from or to a node,
/// that has most to do has to do. Found without playing it.
[[nodiscard]] Time least(const Graph& graph, const Measured& costs);

}  // namespace lapwing::simulate

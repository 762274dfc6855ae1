#pragma once

#include "lapwing/simulate/collectives/collective.hpp"
#include "lapwing/simulate/costs/measured_machine.hpp"
#include "lapwing/simulate/engine/limits.hpp"
#include "lapwing/simulate/engine/observer.hpp"
#include "lapwing/simulate/engine/result.hpp"
#include "lapwing/simulate/program/call.hpp"
#include "lapwing/simulate/program/graph.hpp"

namespace lapwing::simulate {

// `simulate` on a measured machine, by how its network interfaces treat several messages at once.
// Each is compiled by itself.

[[nodiscard]] Result simulate_serialising(const Collective& collective,
                                          const MeasuredMachine& machine, Observer* observer);
[[nodiscard]] Result simulate_serialising(CallSource& source, const MeasuredMachine& machine,
                                          Observer* observer);
[[nodiscard]] Result simulate_serialising(const Graph& graph, const MeasuredMachine& machine,
                                          Observer* observer, const Limits& limits);

[[nodiscard]] Result simulate_sharing(const Collective& collective, const MeasuredMachine& machine,
                                      Observer* observer);
[[nodiscard]] Result simulate_sharing(CallSource& source, const MeasuredMachine& machine,
                                      Observer* observer);
[[nodiscard]] Result simulate_sharing(const Graph& graph, const MeasuredMachine& machine,
                                      Observer* observer, const Limits& limits);

}  // namespace lapwing::simulate

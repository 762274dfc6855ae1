#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>

#include "lapwing/predict/operation_time.hpp"
#include "lapwing/simulate/costs/measured_machine.hpp"
#include "lapwing/simulate/engine/result.hpp"
#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::python {

/// The result of a simulation.
struct Simulation {
    simulate::Result result;
    simulate::Time nanosecond = 1;
    std::optional<std::string> trace;
    std::optional<CollectiveTime> predicted;
};

/// The options of a measured machine, from what Python says.
[[nodiscard]] simulate::MeasuredMachine::Options machine_options(
    simulate::Rank ranks_per_node, const std::optional<std::string>& topology,
    const std::optional<std::string>& placement);

/// The class of results.
void bind_simulation(nanobind::module_& module);

}  // namespace lapwing::python

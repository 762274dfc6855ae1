#pragma once

#include <nanobind/nanobind.h>

namespace lapwing::python {

/// Schedules, and playing them.
void bind_simulate(nanobind::module_& module);

}  // namespace lapwing::python

#pragma once

#include <nanobind/nanobind.h>

#include "lapwing/plan/workload.hpp"

namespace lapwing::python {

/// A workload, as Python says it: all but the computation by name, and all of them.
[[nodiscard]] Workload workload_of(double compute, const nanobind::kwargs& words);

}  // namespace lapwing::python

#pragma once

#include <nanobind/nanobind.h>

#include "lapwing/plan/workload.hpp"

namespace lapwing::python {

/// The workload of Python's keyword arguments, which are complete. `compute`: seconds.
[[nodiscard]] Workload workload_of(double compute, const nanobind::kwargs& words);

}  // namespace lapwing::python

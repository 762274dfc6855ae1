#pragma once

#include <nanobind/nanobind.h>

namespace lapwing::python {

/// Adds the recordings of programs to a module.
void bind_record(nanobind::module_& module);

}  // namespace lapwing::python

#pragma once

#include <nanobind/nanobind.h>

#include "lapwing/record/record.hpp"

namespace lapwing::python {

/// The name of a collective in Python.
[[nodiscard]] const char* name_of(record::Collective collective);

/// Adds the recordings of programs to a module.
void bind_record(nanobind::module_& module);

}  // namespace lapwing::python

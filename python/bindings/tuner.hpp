#pragma once

#include <nanobind/nanobind.h>

namespace lapwing::python {

/// Binds the tuner of the module `plan`.
void bind_tuner(nanobind::module_& module);

}  // namespace lapwing::python

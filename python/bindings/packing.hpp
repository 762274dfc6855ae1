#pragma once

#include <nanobind/nanobind.h>

namespace lapwing::python {

/// Adds `packing`, the two ways to send strided data, to the module.
void bind_packing(nanobind::module_& module);

}  // namespace lapwing::python

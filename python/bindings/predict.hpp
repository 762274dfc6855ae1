#pragma once

#include <nanobind/nanobind.h>

namespace lapwing::python {

/// Binds the module `predict`.
void bind_predict(nanobind::module_& module);

}  // namespace lapwing::python

#pragma once

#include <nanobind/nanobind.h>

namespace lapwing::python {

/// Playing recorded programs.
void bind_replay(nanobind::module_& module);

}  // namespace lapwing::python

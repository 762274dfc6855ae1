#pragma once

#include <nanobind/nanobind.h>

namespace lapwing::python {

void bind_fft(nanobind::module_& module);

}  // namespace lapwing::python

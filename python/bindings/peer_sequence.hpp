#pragma once

#include <nanobind/nanobind.h>

namespace lapwing::python {

/// Binds the peer sequences of the module `pipeline`.
void bind_peer_sequence(nanobind::module_& module);

}  // namespace lapwing::python

#pragma once

#include <mpi.h>

#include <cstddef>

#include "lapwing/transport/two_sided/two_sided.hpp"

namespace lapwing::two_sided {

/// Calls `visit(name, transport)` for the transport with messages of this folder.
template <class Visit>
void transports(MPI_Comm communicator, std::size_t, Visit&& visit) {
    TwoSided transport(communicator);
    visit("two-sided", transport);
}

}  // namespace lapwing::two_sided

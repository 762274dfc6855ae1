#pragma once

#include <mpi.h>

#include <cstddef>

#include "lapwing/transport/partitioned/partitioned.hpp"

namespace lapwing::partitioned {

/// Calls `visit(name, transport)` for the transport with messages of this folder, where MPI has it.
template <class Visit>
void transports([[maybe_unused]] MPI_Comm communicator, std::size_t,
                [[maybe_unused]] Visit&& visit) {
#ifdef LAPWING_HAS_PARTITIONED
    if (!has_partitioned()) return;
    Partitioned transport(communicator);
    visit("partitioned", transport);
#endif
}

}  // namespace lapwing::partitioned

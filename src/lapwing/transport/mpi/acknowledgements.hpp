#pragma once

#include <mpi.h>

#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40200000
#define LAPWING_AWAITS_ACKNOWLEDGEMENTS
#include <cstddef>

#include "lapwing/transport/mpi/mpi_error.hpp"
#include "lapwing/transport/mpi/window.hpp"
#endif

namespace lapwing {

/// To be called before `MPI_Finalize`, by all ranks of `communicator`: where it has to be so,
/// nothing that a rank has sent waits for an acknowledgement when this returns.
///
/// MPICH before 4.2 over UCX hangs in `MPI_Finalize` otherwise, where large messages went over TCP
/// and ranks do not come at the same time: one closes its connections, which waits until its peers
/// have acknowledged all, while a peer that is done waits for it in a call that answers nobody
/// (pmodels/mpich, pull request 6596). To flush a put asks for the acknowledgements earlier.
inline void await_acknowledgements([[maybe_unused]] MPI_Comm communicator) {
#ifdef LAPWING_AWAITS_ACKNOWLEDGEMENTS
    const Window window(communicator, 1);
    const std::byte nothing{};
    for (int peer = 0; peer < window.communicator().size(); ++peer)
        check_mpi(MPI_Put(&nothing, 1, MPI_BYTE, peer, 0, 1, MPI_BYTE, window.get()), "MPI_Put",
                  peer);
    check_mpi(MPI_Win_flush_all(window.get()), "MPI_Win_flush_all");
#endif
}

}  // namespace lapwing

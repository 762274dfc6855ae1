#pragma once

#include <mpi.h>

#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40200000
#define LAPWING_AWAITS_ACKNOWLEDGEMENTS
#include <cstddef>

#include "lapwing/transport/mpi/mpi_error.hpp"
#include "lapwing/transport/mpi/window.hpp"
#endif

namespace lapwing {

/// Keeps two ranks of MPICH before 4.2 from hanging in `MPI_Finalize`: returns when all messages of
/// this rank have been acknowledged. To be called right before it, by all ranks of `communicator`.
/// Does nothing under other MPIs.
///
/// MPICH over UCX hangs where large messages went over TCP and the ranks do not finalize at the
/// same time. A rank that closes a connection waits for the peer's acknowledgements. The peer waits
/// in a call that sends none (pmodels/mpich, pull request 6596). Flushing a put collects them
/// earlier. That is enough for two ranks. More ranks over TCP may hang nevertheless.
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

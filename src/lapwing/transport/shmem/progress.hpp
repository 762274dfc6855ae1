#pragma once

#include <mpi.h>

namespace lapwing::shmem {

/// Lets what is under way advance, of OpenSHMEM and of MPI. OpenSHMEM has no call for it, and Open
/// MPI's shmem_test does not do it (over TCP one can loop on it for ever); MPI_Iprobe does, for one
/// engine moves both.
inline void progress() {
    int found = 0;
    // A tag nobody receives: nothing is meant to be found.
    constexpr int tag = 32765;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE);
}

}  // namespace lapwing::shmem

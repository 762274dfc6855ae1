#pragma once

#include <mpi.h>

namespace lapwing::shmem {

/// Lets OpenSHMEM and MPI progress. OpenSHMEM has no call for that, and Open MPI's shmem_test does
/// not do it: over TCP a loop of it may run for ever. MPI_Iprobe does, as one engine moves both.
inline void progress() {
    int found = 0;
    // A tag that nobody sends: nothing is to be found.
    constexpr int tag = 32765;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE);
}

}  // namespace lapwing::shmem

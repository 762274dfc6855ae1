#pragma once

#include <mpi.h>
#include <shmem.h>

#include "lapwing/transport/failure/end_job.hpp"

namespace lapwing {

/// MPI and OpenSHMEM in one program, from here to the end of the scope. Ranks of MPI_COMM_WORLD and
/// PEs have the same numbers. An exception that leaves a template takes the job down (see
/// `on_failure`).
class ShmemSession {
  public:
    ShmemSession(int& argc, char**& argv) {
        MPI_Init(&argc, &argv);
        shmem_init();
        end_job_on_failure();
    }
    ShmemSession(const ShmemSession&) = delete;
    ShmemSession& operator=(const ShmemSession&) = delete;
    ~ShmemSession() {
        shmem_finalize();
        // Open MPI's shmem_finalize ends MPI as well.
        int finalized = 0;
        MPI_Finalized(&finalized);
        if (finalized == 0) MPI_Finalize();
    }
};

}  // namespace lapwing

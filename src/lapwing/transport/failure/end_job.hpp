#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "lapwing/transport/failure/on_failure.hpp"

namespace lapwing {

/// Prints "PROGRAM: rank R: WHAT" and takes all ranks down, as the others would wait for this one
/// for ever. Returns only where MPI has not begun or is over.
inline void end_job(const char* program, const char* what) {
    int begun = 0;
    int over = 0;
    MPI_Initialized(&begun);
    MPI_Finalized(&over);
    if (begun == 0 || over != 0) return;
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::fprintf(stderr, "%s: rank %d: %s\n", program, rank, what);
    std::fflush(stderr);
    // A launcher that is told to end all ranks drops the output that it has not read yet.
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/// From now on an exception that leaves a template takes the job down (see `on_failure`), as does
/// one that nobody catches.
inline void end_job_on_failure() {
    failure::end_job = [](const char* what) { end_job("lapwing", what); };
    failure::end_job_when_terminated();
}

}  // namespace lapwing

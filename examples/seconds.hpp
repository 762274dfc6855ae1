#pragma once

#include <mpi.h>

#include <lapwing/compute/clock.hpp>
#include <utility>

/// Seconds that `run()` takes on the slowest rank; simulated ones on a simulated cluster.
template <class Run>
double seconds(Run&& run) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = lapwing::now();
    std::forward<Run>(run)();
    double taken = lapwing::now() - start;
    MPI_Allreduce(MPI_IN_PLACE, &taken, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return taken;
}

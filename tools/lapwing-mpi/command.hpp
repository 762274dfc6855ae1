#pragma once

#include <mpi.h>

#include <cstdio>
#include <string>

#include "lapwing/calibrate/clock_offset.hpp"
#include "lapwing/calibrate/pair.hpp"
#include "lapwing/transport/two_sided.hpp"

namespace lapwing::tools {

/// Tells the `lapwing` command how far this run is: the share done and what comes next.
inline void report_progress(double share, const std::string& what) {
    std::fprintf(stderr, "@ %.3f %s\n", share, what.c_str());
    std::fflush(stderr);
}

/// Runs `action(pair)` on ranks 0 and 1; the others only wait for the end of the program.
template <class Action>
void with_pair(Action&& action) {
    TwoSided transport;
    const int rank = transport.rank();
    if (rank > 1) return;
    const double offset = clock_offset(MPI_COMM_WORLD, rank == 0, 1 - rank);
    Pair<TwoSided> pair(transport, rank == 0, 1 - rank, offset);
    action(pair);
}

}  // namespace lapwing::tools

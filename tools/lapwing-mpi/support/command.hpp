#pragma once

#include <mpi.h>

#include <array>
#include <cstdio>
#include <string>

#include "lapwing/calibrate/ranks/two_sided_pair.hpp"
#include "lapwing/transport/mpi/clock_offset.hpp"
#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

namespace lapwing::tools {

/// Tells the `lapwing` command the share of the run that is done and what comes next.
inline void report_progress(double share, const std::string& what) {
    std::fprintf(stderr, "@ %.3f %s\n", share, what.c_str());
    std::fflush(stderr);
}

/// Whether all ranks of `communicator` share memory. All of them call it.
inline bool one_node(MPI_Comm communicator) {
    int all = 0;
    MPI_Comm_size(communicator, &all);
    return Communicator::of_node(communicator).size() == all;
}

/// Runs `action(pair, communicator)` on the two `ranks`, which measure together, with a
/// communicator of the two; the others go on at once. All ranks call it.
template <class Action>
void with_pair(std::array<int, 2> ranks, Action&& action) {
    const Communicator world;
    const int rank = world.rank();
    const bool first = rank == ranks[0];
    const bool taking_part = first || rank == ranks[1];
    MPI_Comm two = MPI_COMM_NULL;
    check_mpi(MPI_Comm_split(world.get(), taking_part ? 0 : MPI_UNDEFINED, first ? 0 : 1, &two),
              "MPI_Comm_split");
    if (!taking_part) return;
    {
        TwoSided transport(two);
        const int peer = first ? 1 : 0;
        const double offset = clock_offset(two, first, peer);
        TwoSidedPair pair(transport, first, peer, offset, one_node(two));
        action(pair, two);
    }
    MPI_Comm_free(&two);
}

}  // namespace lapwing::tools

#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "lapwing/transport/collective/collective.hpp"

namespace lapwing::collective {

/// Calls `visit(name, transport)` for the transport with messages of this folder. All ranks are
/// partners of each other, so they should be few.
template <class Visit>
void transports(MPI_Comm communicator, std::size_t, Visit&& visit) {
    int size = 0;
    int rank = 0;
    MPI_Comm_size(communicator, &size);
    MPI_Comm_rank(communicator, &rank);
    std::vector<int> partners;
    for (int other = 0; other < size; ++other)
        if (other != rank) partners.push_back(other);
    Collective transport(communicator, partners);
    visit("collective", transport);
}

}  // namespace lapwing::collective

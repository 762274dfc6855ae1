#pragma once

#include <mpi.h>

#include <cstddef>

#include "synchronous.hpp"

namespace lapwing::synchronous {

template <class Visit>
void transports(MPI_Comm communicator, std::size_t, Visit&& visit) {
    Synchronous transport(communicator);
    visit("synchronous", transport);
}

}  // namespace lapwing::synchronous

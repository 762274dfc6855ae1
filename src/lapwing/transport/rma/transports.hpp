#pragma once

#include <mpi.h>

#include <cstddef>

#include "lapwing/transport/rma/notified_get.hpp"
#include "lapwing/transport/rma/notified_put.hpp"

namespace lapwing::rma {

/// Calls `visit(name, transport)` for each transport with messages of this folder. `capacity`:
/// bytes of their windows.
template <class Visit>
void transports(MPI_Comm communicator, std::size_t capacity, Visit&& visit) {
    {
        NotifiedPut put(communicator, capacity);
        visit("put", put);
    }
    NotifiedGet get(communicator, capacity);
    visit("get", get);
}

}  // namespace lapwing::rma

#pragma once

#include <mpi.h>

#include <cstddef>

#include "lapwing/transport/ucx/ucx_get.hpp"
#include "lapwing/transport/ucx/ucx_put.hpp"

namespace lapwing::ucx {

/// Calls `visit(name, transport)` for each transport with messages of this folder. `capacity`:
/// bytes of memory of each that can be offered.
template <class Visit>
void transports(MPI_Comm communicator, std::size_t capacity, Visit&& visit) {
    {
        UcxPut put(communicator, capacity);
        visit("ucx-put", put);
    }
    UcxGet get(communicator, capacity);
    visit("ucx-get", get);
}

}  // namespace lapwing::ucx

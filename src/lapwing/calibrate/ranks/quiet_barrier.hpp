#pragma once

#include <mpi.h>

namespace lapwing {

/// A barrier for ranks that wait while others measure: they sleep and test it now and then. MPI's
/// own barrier would keep a core busy.
void quiet_barrier(MPI_Comm communicator);

}  // namespace lapwing

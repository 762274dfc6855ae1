#pragma once

#include <mpi.h>

// MPI 4 has partitioned communication. Open MPI 5 has it, too, and says that it is MPI 3.1.
#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
#define LAPWING_HAS_PARTITIONED 1
// A program that was compiled for it may run under an older library of the same binary interface.
#pragma weak MPI_Psend_init
#pragma weak MPI_Precv_init
#pragma weak MPI_Pready
#pragma weak MPI_Parrived
#endif

namespace lapwing {

/// Whether this MPI has partitioned communication.
[[nodiscard]] inline bool has_partitioned() {
#ifdef LAPWING_HAS_PARTITIONED
    return &MPI_Psend_init != nullptr;
#else
    return false;
#endif
}

}  // namespace lapwing

#pragma once

// Constants of MPI that are addresses, as Fortran passes them: of variables of the MPI, where it
// has them. Each MPI declares some in its own way, so they have other names here.

namespace lapwing::observe::fortran {

#define LAPWING_OF_MPI(type, name, symbol) \
    extern "C" __attribute__((weak)) type name __asm__(symbol)
LAPWING_OF_MPI(char, openmpi_in_place, "mpi_fortran_in_place_");
LAPWING_OF_MPI(char, openmpi_status_ignore, "mpi_fortran_status_ignore_");
// Of mpif.h and the module mpi MPICH keeps the addresses.
LAPWING_OF_MPI(void*, mpich_in_place, "MPIR_F_MPI_IN_PLACE");
LAPWING_OF_MPI(char, mpich_f08_in_place, "MPIR_F08_MPI_IN_PLACE");
LAPWING_OF_MPI(void*, status_ignore, "MPI_F_STATUS_IGNORE");
LAPWING_OF_MPI(char, mpich_f08_status_ignore, "MPIR_F08_MPI_STATUS_IGNORE_OBJ");
#undef LAPWING_OF_MPI

inline bool is_in_place(const void* argument) {
    if (!argument) return false;
    if (argument == &openmpi_in_place) return true;
    if (&mpich_in_place && argument == mpich_in_place) return true;
    if (!&mpich_f08_in_place) return false;
    // MPICH's mpi_f08 passes a descriptor, which begins with the address.
    return argument == &mpich_f08_in_place ||
           *static_cast<const void* const*>(argument) == &mpich_f08_in_place;
}

inline bool is_status_ignore(const void* argument) {
    if (!argument) return false;
    if (argument == &openmpi_status_ignore || argument == &mpich_f08_status_ignore) return true;
    return &status_ignore && argument == status_ignore;
}

}  // namespace lapwing::observe::fortran

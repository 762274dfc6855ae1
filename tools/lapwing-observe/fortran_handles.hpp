#pragma once

// MPI's conversion of Fortran's handles. The standard binary interface leaves Fortran to another
// library; a handle of Fortran is the number there that C may ask for as well.

#ifdef MPI_ABI
#include <mpi.h>

#include <cstring>

using MPI_Fint = int;
inline MPI_Comm PMPI_Comm_f2c(MPI_Fint handle) { return PMPI_Comm_fromint(handle); }
inline MPI_Datatype PMPI_Type_f2c(MPI_Fint handle) { return PMPI_Type_fromint(handle); }
inline MPI_Request PMPI_Request_f2c(MPI_Fint handle) { return PMPI_Request_fromint(handle); }
inline MPI_Message PMPI_Message_f2c(MPI_Fint handle) { return PMPI_Message_fromint(handle); }
/// Fortran's status has the members of C's in the same places.
inline int PMPI_Status_f2c(const MPI_Fint* fortran, MPI_Status* status) {
    std::memcpy(status, fortran, sizeof *status);
    return MPI_SUCCESS;
}
#endif

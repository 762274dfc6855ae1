#pragma once

// MPI with weak symbols: the library is preloaded into whatever a launcher starts, also into
// shells, where there is no MPI.
#pragma weak ompi_mpi_comm_world
#pragma weak ompi_mpi_comm_null
#pragma weak ompi_mpi_byte
#pragma weak ompi_mpi_double
#pragma weak ompi_mpi_dblprec
#pragma weak ompi_mpi_dblcplex
#pragma weak ompi_mpi_c_double_complex
#pragma weak ompi_mpi_float
#pragma weak ompi_mpi_int
#pragma weak ompi_mpi_integer
#pragma weak ompi_mpi_char
#pragma weak ompi_mpi_long
#pragma weak ompi_mpi_unsigned
#pragma weak ompi_mpi_real
#pragma weak ompi_mpi_cplex
#pragma weak ompi_mpi_c_float_complex
#pragma weak ompi_mpi_character
#pragma weak ompi_mpi_long_long_int
#pragma weak ompi_mpi_int64_t
#pragma weak ompi_mpi_uint64_t
#pragma weak ompi_mpi_unsigned_long
#pragma weak ompi_mpi_int32_t
#pragma weak ompi_mpi_short
#pragma weak ompi_request_null
#pragma weak MPI_COMM_WORLD
#pragma weak smpi_MPI_BYTE
#pragma weak smpi_MPI_DOUBLE
#pragma weak smpi_MPI_C_DOUBLE_COMPLEX
#pragma weak smpi_MPI_FLOAT
#pragma weak smpi_MPI_INT
#pragma weak smpi_MPI_CHAR
#pragma weak smpi_MPI_LONG
#pragma weak smpi_MPI_UNSIGNED
#pragma weak smpi_MPI_REAL
#pragma weak smpi_MPI_C_FLOAT_COMPLEX
#pragma weak smpi_MPI_LONG_LONG
#pragma weak smpi_MPI_INT64_T
#pragma weak smpi_MPI_UINT64_T
#pragma weak smpi_MPI_UNSIGNED_LONG
#pragma weak smpi_MPI_INT32_T
#pragma weak smpi_MPI_SHORT
#pragma weak smpi_MPI_COMPLEX8
#pragma weak smpi_MPI_COMPLEX16
#pragma weak smpi_MPI_REAL8
#pragma weak sg_actor_self_get_pid
#pragma weak PMPI_Barrier
#pragma weak PMPI_Comm_dup
#pragma weak PMPI_Comm_f2c
#pragma weak PMPI_Comm_free
#pragma weak PMPI_Comm_fromint
#pragma weak PMPI_Comm_group
#pragma weak PMPI_Comm_rank
#pragma weak PMPI_Comm_remote_group
#pragma weak PMPI_Comm_remote_size
#pragma weak PMPI_Comm_size
#pragma weak PMPI_Comm_test_inter
#pragma weak PMPI_Finalize
#pragma weak PMPI_Group_free
#pragma weak PMPI_Group_size
#pragma weak PMPI_Group_translate_ranks
#pragma weak PMPI_Init
#pragma weak PMPI_Init_thread
#pragma weak PMPI_Message_f2c
#pragma weak PMPI_Message_fromint
#pragma weak PMPI_Query_thread
#pragma weak PMPI_Recv
#pragma weak PMPI_Request_f2c
#pragma weak PMPI_Request_fromint
#pragma weak PMPI_Send
#pragma weak PMPI_Status_f2c
#pragma weak PMPI_Type_f2c
#pragma weak PMPI_Type_fromint
#pragma weak PMPI_Type_size
#pragma weak PMPI_Wtime

#include <mpi.h>

#include "fortran_handles.hpp"

#pragma once

// MPI with weak symbols: the library is preloaded into whatever a launcher starts, also into
// shells, where there is no MPI.
#pragma weak ompi_mpi_comm_world
#pragma weak ompi_mpi_comm_null
#pragma weak ompi_mpi_byte
#pragma weak ompi_request_null
#pragma weak MPI_COMM_WORLD
#pragma weak smpi_MPI_BYTE
#pragma weak sg_actor_self_get_pid
#pragma weak PMPI_Comm_dup
#pragma weak PMPI_Comm_f2c
#pragma weak PMPI_Comm_free
#pragma weak PMPI_Comm_rank
#pragma weak PMPI_Comm_remote_size
#pragma weak PMPI_Comm_size
#pragma weak PMPI_Comm_test_inter
#pragma weak PMPI_Finalize
#pragma weak PMPI_Init
#pragma weak PMPI_Init_thread
#pragma weak PMPI_Query_thread
#pragma weak PMPI_Recv
#pragma weak PMPI_Request_f2c
#pragma weak PMPI_Send
#pragma weak PMPI_Type_f2c
#pragma weak PMPI_Type_size
#pragma weak PMPI_Wtime

#include <mpi.h>

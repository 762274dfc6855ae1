#include "lapwing/calibrate/ranks/quiet_barrier.hpp"

#include "lapwing/transport/mpi/mpi_error.hpp"

#ifndef LAPWING_SMPI
#include <chrono>
#include <thread>
#endif

namespace lapwing {

void quiet_barrier(MPI_Comm communicator) {
#ifdef LAPWING_SMPI
    check_mpi(MPI_Barrier(communicator), "MPI_Barrier");
#else
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Ibarrier(communicator, &request), "MPI_Ibarrier");
    for (int done = 0; done == 0;) {
        check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
        if (done == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
#endif
}

}  // namespace lapwing

#pragma once

#include <mpi.h>

#include <cstring>
#include <limits>

#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/clock.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing {

/// Seconds that this rank's clock is ahead of its peer's. Both call it with each other's rank; the
/// one that is not `first` gets the result, the other 0. Ranks of one host, or of one simulation,
/// read the same clock. Elsewhere the fastest of 100 round trips tells it to within half its
/// length.
inline double clock_offset(MPI_Comm communicator, bool first, int peer) {
    if (simulated_time) return 0;
    char here[MPI_MAX_PROCESSOR_NAME] = {};
    char there[MPI_MAX_PROCESSOR_NAME] = {};
    int length = 0;
    check_mpi(MPI_Get_processor_name(here, &length), "MPI_Get_processor_name");
    check_mpi(
        MPI_Sendrecv(here, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, peer, 0, there, MPI_MAX_PROCESSOR_NAME,
                     MPI_CHAR, peer, 0, communicator, MPI_STATUS_IGNORE),
        "MPI_Sendrecv", peer);
    if (std::strncmp(here, there, MPI_MAX_PROCESSOR_NAME) == 0) return 0;

    const auto send = [&](const double& value) {
        check_mpi(MPI_Send(&value, 1, MPI_DOUBLE, peer, 0, communicator), "MPI_Send", peer);
    };
    const auto receive = [&] {
        double value = 0;
        check_mpi(MPI_Recv(&value, 1, MPI_DOUBLE, peer, 0, communicator, MPI_STATUS_IGNORE),
                  "MPI_Recv", peer);
        return value;
    };
    double quickest = std::numeric_limits<double>::infinity();
    double offset = 0;
    for (int i = 0; i < 100; ++i) {
        if (first) {
            receive();
            send(now());
            continue;
        }
        const double start = now();
        send(start);
        const double moment = receive();
        const double end = now();
        if (end - start < quickest) {
            quickest = end - start;
            offset = (start + end) / 2 - moment;
        }
    }
    return offset;
}

}  // namespace lapwing

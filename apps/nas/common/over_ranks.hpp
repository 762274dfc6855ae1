#pragma once

#include <mpi.h>

#include "lapwing/transport/mpi/communicator.hpp"
#include "rank_seconds.hpp"

namespace lapwing::nas {

/// `mine` of all `ranks`, reduced by `operation`; the same on each. Collective over them.
[[nodiscard]] inline double reduced(double mine, MPI_Op operation, const Communicator& ranks) {
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, operation, ranks.get()),
              "MPI_Allreduce");
    return mine;
}

/// The seconds that each of `ranks` spends on something. Collective over them.
[[nodiscard]] inline RankSeconds over_ranks(double mine, const Communicator& ranks) {
    return {reduced(mine, MPI_SUM, ranks) / ranks.size(), reduced(mine, MPI_MAX, ranks)};
}

}  // namespace lapwing::nas

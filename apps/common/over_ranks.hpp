#pragma once

#include <mpi.h>

#include "lapwing/transport/mpi/communicator.hpp"
#include "rank_share.hpp"

namespace lapwing {

/// `mine` of all `ranks`, reduced by `operation`; the same on each. Collective over them.
[[nodiscard]] inline double reduced(double mine, MPI_Op operation, const Communicator& ranks) {
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, operation, ranks.get()),
              "MPI_Allreduce");
    return mine;
}

/// What each of `ranks` has as `mine`. Collective over them.
[[nodiscard]] inline RankShare over_ranks(double mine, const Communicator& ranks) {
    return {reduced(mine, MPI_SUM, ranks) / ranks.size(), reduced(mine, MPI_MAX, ranks)};
}

}  // namespace lapwing

#pragma once

#include <mpi.h>

#include <cstddef>
#include <numeric>
#include <vector>

#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing::shmem {

/// The PE of each rank: PEs are numbered as the ranks of MPI_COMM_WORLD.
[[nodiscard]] inline std::vector<int> pes_of(MPI_Comm ranks) {
    int size = 0;
    check_mpi(MPI_Comm_size(ranks, &size), "MPI_Comm_size");
    std::vector<int> all(static_cast<std::size_t>(size));
    std::iota(all.begin(), all.end(), 0);
    std::vector<int> pes(all.size());
    MPI_Group some = MPI_GROUP_NULL;
    MPI_Group world = MPI_GROUP_NULL;
    check_mpi(MPI_Comm_group(ranks, &some), "MPI_Comm_group");
    check_mpi(MPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group");
    check_mpi(MPI_Group_translate_ranks(some, size, all.data(), world, pes.data()),
              "MPI_Group_translate_ranks");
    MPI_Group_free(&some);
    MPI_Group_free(&world);
    return pes;
}

}  // namespace lapwing::shmem

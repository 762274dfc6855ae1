#pragma once

#include <mpi.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "lapwing/transport/mpi/communicator.hpp"

namespace lapwing::compress {

/// The lists of all ranks, one behind the other, on every rank. Collective over `ranks`.
inline std::vector<std::uint64_t> concatenate(const std::vector<std::uint64_t>& mine,
                                              const Communicator& ranks) {
    const int count = static_cast<int>(mine.size());
    std::vector<int> counts(static_cast<std::size_t>(ranks.size()));
    check_mpi(MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, ranks.get()),
              "MPI_Allgather");
    std::vector<int> begins(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0);
    std::vector<std::uint64_t> all(static_cast<std::size_t>(begins.back() + counts.back()));
    check_mpi(MPI_Allgatherv(mine.data(), count, MPI_UINT64_T, all.data(), counts.data(),
                             begins.data(), MPI_UINT64_T, ranks.get()),
              "MPI_Allgatherv");
    return all;
}

}  // namespace lapwing::compress

#pragma once

#include <mpi.h>

#include <cstdint>

#include "job.hpp"
#include "lapwing/lapwing.hpp"

namespace lapwing::compress {

/// Bytes that a core compresses a second: as measured, else as usual.
[[nodiscard]] double core_rate(const Job& job);

/// How `pieces` pieces of work are collected: as the job says, else planned, else in a way that
/// suits most machines. `compute` seconds for one, `bytes` its result at most; 0 pieces: nobody
/// knows how many.
[[nodiscard]] GatherPlan plan_collection(const Job& job, int ranks, std::uint64_t pieces,
                                         double compute, double bytes);

/// Compresses the input by blocks, on all ranks of `original`, into one file of as many bzip2
/// streams, which rank 0 collects and writes while later blocks are compressed. The file is the
/// same for any number of ranks and any collection.
Done compress(MPI_Comm original, const Job& job);

}  // namespace lapwing::compress

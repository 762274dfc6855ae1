#pragma once

#include <mpi.h>

#include <cstdint>

#include "job.hpp"
#include "lapwing/lapwing.hpp"

namespace lapwing::compress {

/// Bytes that a core compresses in a second: measured, or a usual value where nobody has measured
/// it.
[[nodiscard]] double core_rate(const Job& job);

/// How to collect the results of `pieces` pieces of work (0: unknown): as the job says, else as
/// planned, else in a way that suits most machines. `compute`: seconds of a piece. `bytes`: its
/// largest result.
[[nodiscard]] GatherPlan plan_collection(const Job& job, int ranks, std::uint64_t pieces,
                                         double compute, double bytes);

/// Compresses the input block by block, on all ranks of `original`, into one file of as many bzip2
/// streams, which rank 0 collects and writes while later blocks are compressed. The file is the
/// same for any number of ranks and any way to collect.
Done compress(MPI_Comm original, const Job& job);

}  // namespace lapwing::compress

#pragma once

#include <mpi.h>

#include <functional>

#include "compress.hpp"
#include "times.hpp"

namespace lapwing::compress {

/// Runs the trial on all ranks of `original`, of the job what it says about blocks, the machine and
/// the collection. On a simulated cluster each block is really compressed once, in the first run;
/// after that its size and its cost are enough. `tell(share)` is called at rank 0.
Times benchmark(MPI_Comm original, const Job& job, const Trial& trial,
                const std::function<void(double)>& tell);

}  // namespace lapwing::compress

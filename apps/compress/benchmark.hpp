#pragma once

#include <mpi.h>

#include <functional>

#include "compress.hpp"
#include "times.hpp"

namespace lapwing::compress {

/// Runs the trial on all ranks of `original`, with the job's block size, machine and way to
/// collect. On a simulated cluster each block is really compressed once, in the first run; later
/// runs charge its time and send as many bytes. Calls `tell(share)` at rank 0 with the share that
/// is done.
Times benchmark(MPI_Comm original, const Job& job, const Trial& trial,
                const std::function<void(double)>& tell);

}  // namespace lapwing::compress

#pragma once

#include <mpi.h>

#include "compress.hpp"

namespace lapwing::compress {

/// Decompresses the input into one file: files of many streams, as `compress` and other parallel
/// compressors write them, on all ranks of `original`, stream by stream; what is one long stream,
/// or comes out of a pipe, on rank 0. The job's block size is not looked at.
Done decompress(MPI_Comm original, const Job& job);

}  // namespace lapwing::compress

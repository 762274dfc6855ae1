#pragma once

#include <mpi.h>

#include "compress.hpp"

namespace lapwing::compress {

/// Decompresses the input into one file. A file of many streams, as `compress` and other parallel
/// compressors write them, is decompressed on all ranks of `original`, stream by stream; one long
/// stream, or a pipe, on rank 0. The job's block size is not used.
Done decompress(MPI_Comm original, const Job& job);

}  // namespace lapwing::compress

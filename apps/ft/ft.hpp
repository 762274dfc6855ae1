#pragma once

#include <mpi.h>

#include <functional>

#include "done.hpp"
#include "lapwing/fft/options.hpp"
#include "problem.hpp"

namespace lapwing::ft {

/// Runs the benchmark on all ranks of `original`: start values, a forward transform, and in each
/// iteration the evolution in frequency space, an inverse transform and a checksum.
/// `tell(share, what)` is called at rank 0.
[[nodiscard]] Done run(MPI_Comm original, const Problem& problem, const fft::Options& options,
                       const std::function<void(double, const char*)>& tell = {});

/// The operations of a run, as the benchmark counts them.
[[nodiscard]] double operations(const Problem& problem);

}  // namespace lapwing::ft

#pragma once

#include <mpi.h>

#include <functional>

#include "lapwing/fft/options.hpp"
#include "problem.hpp"
#include "result.hpp"

namespace lapwing::nas::ft {

/// Runs the benchmark on all ranks of `original`: start values and a forward transform, then in
/// each iteration the evolution in frequency space, an inverse transform and a checksum.
/// `tell(share, what)` reports progress on rank 0. Throws as the constructor of `fft::Transform`
/// does.
[[nodiscard]] Result run(MPI_Comm original, const Problem& problem, const fft::Options& options,
                         const std::function<void(double, const char*)>& tell = {});

/// The operations of a run, as the benchmark counts them.
[[nodiscard]] double operations(const Problem& problem);

}  // namespace lapwing::nas::ft

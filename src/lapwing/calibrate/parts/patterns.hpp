#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "lapwing/calibrate/sampling/sampling.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// What to measure with many ranks at once.
struct PatternOptions {
    SamplingGoal goal;           ///< its `budget` does not count
    std::vector<int> processes;  ///< P, each from 2 to all ranks, increasing
    std::vector<std::uint64_t> sizes = {4096, 65536, 1048576};
    double seconds = 5;    ///< for all of it
    double longest = 0.5;  ///< seconds that one sample may take; larger sizes are left out
};

/// Measures G(pattern, P, S) for all patterns, numbers of processes and sizes (Iancu 2.1), each on
/// the first P ranks of `communicator`, whose ranks all call this. Rank 0's `profile` has G already
/// and gets the result. Ranks that are not needed any more return early.
///
/// A sample is a flood: every sender keeps a window of messages under way to receivers that have
/// posted all receives. A receiver times, for each of its senders, from the common start to the
/// last arrival. It subtracts a short flood from a long one. Start, latency and the overheads at
/// the end cancel. The seconds per byte of the steady state remain. In simulated time a sample is
/// exact, and one is enough.
void measure_patterns(MPI_Comm communicator, const PatternOptions& options, Profile& profile,
                      NoiseCounts& noise, const StatusCallback& status = {});

}  // namespace lapwing

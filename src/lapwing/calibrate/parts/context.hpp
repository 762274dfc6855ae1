#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "lapwing/calibrate/ranks/two_sided_pair.hpp"
#include "lapwing/calibrate/sampling/sampling.hpp"

namespace lapwing {

/// What a part of the calibration is measured with, the same on both ranks.
struct Context {
    TwoSidedPair& pair;
    MPI_Comm ranks;          ///< a communicator of the two alone, in the order of `pair`
    Sampling sampling;       ///< its `goal.budget` is the seconds for the part, about
    double longest = 12e-3;  ///< seconds that one sample may keep the wire busy
    /// Sizes at which messages clearly change: filled by `measure_protocol` for the parts after it.
    std::vector<std::uint64_t> switches{};
};

}  // namespace lapwing

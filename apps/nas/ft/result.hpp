#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <vector>

#include "../../common/rank_share.hpp"
#include "lapwing/fft/phases.hpp"

namespace lapwing::nas::ft {

/// The result of a run, the same on all ranks.
struct Result {
    std::vector<std::complex<double>> checksums;  ///< of every iteration
    bool verified = false;  ///< whether all checksums are those of the benchmark
    double planning = 0;    ///< seconds of planning, before the run
    double seconds = 0;  ///< of what the benchmark times: set-up, transforms, evolution, checksums
    double mops = 0;     ///< million operations a second, by the benchmark's formula
    RankShare setup;
    RankShare evolution;
    RankShare checksum;
    std::array<RankShare, fft::phases> transforms;  ///< by `fft::Phase`
    /// Messages to other ranks in one transform, of the rank that sends most.
    std::uint64_t messages = 0;
    /// The share of the computation in planes that can hide communication (Bell et al. 2006, table
    /// 1): all but the first and the last unit of communication.
    double overlap_share = 0;
};

}  // namespace lapwing::nas::ft

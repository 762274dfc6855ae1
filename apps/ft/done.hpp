#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <vector>

#include "lapwing/fft/phases.hpp"

namespace lapwing::ft {

/// Seconds that ranks spend on something: their mean, and those of the rank that takes longest.
struct Spent {
    double mean = 0;
    double most = 0;
};

/// What a run found out; the same on all ranks.
struct Done {
    std::vector<std::complex<double>> checksums;  ///< of each iteration
    bool verified = false;                        ///< each of them
    double planning = 0;                          ///< seconds, before the run
    double seconds = 0;  ///< of what the benchmark times: set-up, transforms, evolution, checksums
    double mops = 0;     ///< million operations a second, by the benchmark's formula
    Spent setup;
    Spent evolution;
    Spent checksum;
    std::array<Spent, fft::phases> transforms;  ///< by `fft::Phase`
    /// Messages to other ranks in one transform, by the rank that sends most.
    std::uint64_t messages = 0;
    /// Of what is computed in a plane, the share behind which something can travel (Bell et al.
    /// 2006, table 1): all but the first and the last unit of communication.
    double overlap_share = 0;
};

}  // namespace lapwing::ft

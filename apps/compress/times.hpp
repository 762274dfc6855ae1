#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lapwing/gather/gather_plan.hpp"

namespace lapwing::compress {

/// What to time: compression that computes and then collects (blocking), the computation alone, and
/// the pipeline. Nothing is written.
struct Trial {
    std::string input;         ///< a file; empty: random data
    std::uint64_t random = 0;  ///< bytes of random data
    /// Ways to collect that are timed beside the planned or usual one.
    std::vector<GatherSettings> cells;
    int repetitions = 1;  ///< of all of them, one after the other
};

/// A way to collect, and its times.
struct Timed {
    GatherPlan plan;
    std::uint64_t tile = 0;  ///< pieces; 0: tiles are unequal
    std::vector<double> seconds;
};

/// The times in seconds, at rank 0.
struct Times {
    std::uint64_t read = 0;     ///< bytes
    std::uint64_t written = 0;  ///< bytes
    std::uint64_t arrived = 0;  ///< bytes that came from other ranks in the blocking run
    std::vector<double> blocking;
    std::vector<double> computation;
    Timed planned;
    std::vector<Timed> cells;
};

}  // namespace lapwing::compress

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lapwing/plan/gather.hpp"

namespace lapwing::compress {

/// What to time: compression as a program would do it that computes, then collects, beside the
/// computation alone and the pipeline. Nothing is written.
struct Trial {
    std::string input;         ///< a file; where it is empty, random data
    std::uint64_t random = 0;  ///< bytes of random data
    /// Ways to collect, beside the one that is planned or the usual one.
    std::vector<Collection> cells;
    int repetitions = 1;  ///< of each, in turn
};

/// A way to collect, and how long it took each time.
struct Timed {
    GatherPlan plan;
    std::uint64_t tile = 0;  ///< of a cell; 0 where tiles are unequal
    std::vector<double> seconds;
};

/// The times, at rank 0.
struct Times {
    std::uint64_t read = 0;     ///< bytes
    std::uint64_t written = 0;  ///< bytes
    std::uint64_t arrived = 0;  ///< bytes of it that came from other ranks, in the blocking run
    std::vector<double> blocking;
    std::vector<double> computation;
    Timed planned;
    std::vector<Timed> cells;
};

}  // namespace lapwing::compress

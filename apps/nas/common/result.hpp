#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "../../common/rank_share.hpp"
#include "lapwing/io/trace_event.hpp"
#include "options.hpp"

namespace lapwing::nas {

/// What a benchmark computed beside what it should have.
struct Verification {
    bool verified = false;
    double found = 0;
    double expected = 0;
};

/// What a way to run a benchmark is predicted to take, seconds.
struct Forecast {
    Options options;
    double seconds = 0;
};

/// What the ranks spent on a loop.
struct KernelTime {
    std::string name;
    RankShare time;
    double elements = 0;  ///< of all ranks
};

/// The result of a run, the same on all ranks but for the forecasts, which rank 0 has.
struct Result {
    std::string benchmark;
    char problem = 'S';
    std::vector<std::size_t> size;  ///< elements
    int iterations = 0;
    int ranks = 1;
    Options options;  ///< the way it ran
    Verification verification;
    double preparation = 0;  ///< seconds before the timed part: start values, and planning
    double seconds = 0;      ///< of what the benchmark times, on the slowest rank
    double mops = 0;         ///< million operations a second, by the benchmark's formula
    std::array<RankShare, activities> phases{};  ///< by `Activity`
    std::vector<KernelTime> kernels;             ///< of the computation
    /// Of the way it ran or, where a plan chose that, of all ways that are promising, fastest
    /// first. Empty without a profile.
    std::vector<Forecast> forecasts;
    bool planned = false;  ///< whether a plan chose the way
};

}  // namespace lapwing::nas

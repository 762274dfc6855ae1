#pragma once

#include <cstddef>

#include "lapwing/calibrate/environment/environment_monitor.hpp"
#include "lapwing/calibrate/ranks/rank_pair.hpp"
#include "lapwing/calibrate/sampling/status.hpp"
#include "lapwing/calibrate/statistics/estimate.hpp"

namespace lapwing {

/// How well to measure.
struct SamplingGoal {
    double accuracy = 0.02;  ///< relative error to reach
    double budget = 0.3;     ///< seconds after which to stop trying
    int least = 9;           ///< samples, or rounds, to take in any case
};

/// What disturbed a calibration while it sampled.
struct NoiseCounts {
    std::size_t samples = 0;  ///< taken
    std::size_t dropped = 0;  ///< dropped as disturbances
    std::size_t missed = 0;   ///< quantities that did not reach their accuracy
    double preempted = 0;  ///< share of a rank's processor time that other programs took: 0 … 1

    /// Counts the samples of a quantity that was to be known to within `accuracy`.
    void note(const Estimate& estimate, double accuracy);
    NoiseCounts& operator+=(const NoiseCounts& other);
};

/// What sampling needs: two ranks, the environment they are in, how well to measure, and where to
/// tell of disturbances and progress.
struct Sampling {
    RankPair& pair;
    EnvironmentMonitor& environment;
    NoiseCounts& noise;
    SamplingGoal goal;
    StatusCallback status;  ///< may be empty

    /// The same for a part of the budget, from share `begin` of it to share `end`, 0 … 1.
    [[nodiscard]] Sampling part(double begin, double end) const;
    /// Reports that a share of the budget is spent, 0 … 1, and what comes next. On rank 0.
    void report(double share, const std::string& next) const;
};

/// How often to sample, in a visit of about `visit` seconds, what takes `seconds`: 1 to `most`
/// times. Once in simulated time.
int repetitions(double seconds, double visit, int most);

}  // namespace lapwing

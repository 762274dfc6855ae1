#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "lapwing/calibrate/ranks/rank_pair.hpp"
#include "lapwing/calibrate/statistics/estimate.hpp"

namespace lapwing {

/// How well to measure.
struct SamplingGoal {
    double accuracy = 0.02;  ///< relative error to reach
    double budget = 0.3;     ///< seconds after which to stop trying
    int least = 9;           ///< samples to take in any case
};

/// What a calibration met while it sampled.
struct NoiseCounts {
    std::size_t samples = 0;
    std::size_t dropped = 0;
    std::size_t missed = 0;  ///< quantities that did not reach their accuracy
    double preempted = 0;    ///< share of a rank's processor that other programs took: 0 … 1

    /// Counts the samples of a quantity that was to be known to within `accuracy`.
    void note(const Estimate& estimate, double accuracy) {
        samples += estimate.samples + estimate.dropped;
        dropped += estimate.dropped;
        if (estimate.error > accuracy) ++missed;
    }
    NoiseCounts& operator+=(const NoiseCounts& other) {
        samples += other.samples;
        dropped += other.dropped;
        missed += other.missed;
        preempted = std::max(preempted, other.preempted);
        return *this;
    }
};

/// Samples a quantity until its error is small enough or the budget is spent. `measure` runs on
/// both ranks at the same time and returns one sample on rank 0. The estimate is rank 0's.
template <Transport T>
Estimate sample(TransportPair<T>& pair, const SamplingGoal& goal, NoiseCounts& noise,
                const std::function<double()>& measure) {
    const int batch = simulated_time ? 2 : goal.least;
    std::vector<double> samples;
    Estimate result;
    const double start = pair.transport().now();
    for (bool more = true; more;) {
        for (int i = 0; i < batch; ++i) {
            pair.yield_core();
            samples.push_back(measure());
        }
        result = estimate(samples);
        const bool reached = result.error <= goal.accuracy;
        const bool spent = pair.transport().now() - start > goal.budget;
        more = pair.from_first(!reached && !spent ? 1 : 0) != 0;
        if (!more && pair.first()) noise.note(result, goal.accuracy);
    }
    return result;
}

}  // namespace lapwing

#include "lapwing/calibrate/sampling/sample_until_known.hpp"

#include <vector>

#include "lapwing/compute/charge.hpp"

namespace lapwing {

Estimate sample_until_known(RankPair& pair, const SamplingGoal& goal, NoiseCounts& noise,
                            const std::function<double()>& measure) {
    const int batch = simulated_time ? 2 : goal.least;
    std::vector<double> samples;
    Estimate result;
    const double start = pair.now();
    for (bool more = true; more;) {
        for (int i = 0; i < batch; ++i) {
            pair.yield_core();
            samples.push_back(measure());
        }
        result = estimate(samples);
        const bool reached = result.error <= goal.accuracy;
        const bool spent = pair.now() - start > goal.budget;
        more = pair.from_first(!reached && !spent ? 1 : 0) != 0;
        if (!more && pair.first()) noise.note(result, goal.accuracy);
    }
    return result;
}

}  // namespace lapwing

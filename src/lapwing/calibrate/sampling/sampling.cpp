#include "lapwing/calibrate/sampling/sampling.hpp"

#include <algorithm>

#include "lapwing/compute/charge.hpp"

namespace lapwing {

void NoiseCounts::note(const Estimate& estimate, double accuracy) {
    samples += estimate.samples + estimate.dropped;
    dropped += estimate.dropped;
    if (estimate.error > accuracy) ++missed;
}

NoiseCounts& NoiseCounts::operator+=(const NoiseCounts& other) {
    samples += other.samples;
    dropped += other.dropped;
    missed += other.missed;
    preempted = std::max(preempted, other.preempted);
    return *this;
}

Sampling Sampling::part(double begin, double end) const {
    SamplingGoal part_goal = goal;
    part_goal.budget = (end - begin) * goal.budget;
    StatusCallback part_status;
    if (status)
        part_status = [whole = status, begin, end](double share, const std::string& next) {
            whole(begin + share * (end - begin), next);
        };
    return {pair, environment, noise, part_goal, std::move(part_status)};
}

void Sampling::report(double share, const std::string& next) const {
    if (pair.first() && status) status(share, next);
}

int repetitions(double seconds, double visit, int most) {
    if (simulated_time) return 1;
    const double times = visit / std::max(seconds, 1e-9);
    return static_cast<int>(std::clamp(times, 1.0, static_cast<double>(most)));
}

}  // namespace lapwing

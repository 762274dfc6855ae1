#include "lapwing/calibrate/sampling/time_share.hpp"

#include <algorithm>
#include <utility>

#include "lapwing/calibrate/sampling/sample_until_known.hpp"

namespace lapwing {

TimeShare::TimeShare(RankPair& pair, const SamplingGoal& goal, int quantities, NoiseCounts& noise,
                     StatusCallback status)
    : pair_(pair),
      goal_(goal),
      quantities_(quantities),
      noise_(noise),
      status_(std::move(status)),
      start_(pair.now()) {}

Estimate TimeShare::measure(const std::string& what, const std::function<double()>& measure) {
    if (pair_.first() && status_)
        status_(static_cast<double>(done_) / std::max(1, quantities_), what);
    SamplingGoal goal = goal_;
    const double left = std::max(0.0, goal_.budget - (pair_.now() - start_));
    goal.budget = left / std::max(1, quantities_ - done_);
    const Estimate result = sample_until_known(pair_, goal, noise_, measure);
    ++done_;
    return result;
}

}  // namespace lapwing

#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "lapwing/calibrate/ranks/rank_pair.hpp"
#include "lapwing/calibrate/sampling/sampler.hpp"
#include "lapwing/calibrate/sampling/status.hpp"

namespace lapwing {

/// One part of a calibration: a number of quantities to be measured in a given time. The time that
/// is left is divided among the quantities that are left, so that those which are steady at once
/// leave theirs to the others.
template <Transport T>
class TimeShare {
  public:
    /// `seconds` for all `quantities` together; `goal.budget` does not matter.
    TimeShare(TransportPair<T>& pair, const SamplingGoal& goal, double seconds, int quantities,
              NoiseCounts& noise, StatusCallback report = {})
        : pair_(pair),
          goal_(goal),
          seconds_(seconds),
          quantities_(quantities),
          noise_(noise),
          report_(std::move(report)),
          start_(pair.transport().now()) {}

    [[nodiscard]] TransportPair<T>& pair() { return pair_; }

    /// Samples one quantity, which `what` names for people. `sample()` is called by both ranks and
    /// returns one sample on rank 0, as the estimate is rank 0's.
    Estimate measure(const std::string& what, const std::function<double()>& sample) {
        report(what);
        const Estimate result = lapwing::sample(pair_, next_goal(), noise_, sample);
        ++done_;
        return result;
    }

  private:
    /// The time that is left is shared among the quantities that are left.
    [[nodiscard]] SamplingGoal next_goal() const {
        SamplingGoal goal = goal_;
        const double left = std::max(0.0, seconds_ - (pair_.transport().now() - start_));
        goal.budget = left / std::max(1, quantities_ - done_);
        return goal;
    }
    void report(const std::string& what) {
        if (pair_.first() && report_)
            report_(static_cast<double>(done_) / std::max(1, quantities_), what);
    }

    TransportPair<T>& pair_;
    SamplingGoal goal_;
    double seconds_;
    int quantities_;
    NoiseCounts& noise_;
    StatusCallback report_;
    double start_;
    int done_ = 0;
};

}  // namespace lapwing

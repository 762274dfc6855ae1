#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "lapwing/calibrate/pair.hpp"
#include "lapwing/calibrate/report.hpp"
#include "lapwing/calibrate/sampler.hpp"

namespace lapwing {

/// One part of a calibration: a number of quantities to be measured in a given time. The time that
/// is left is divided among the quantities that are left, so that those which are steady at once
/// leave theirs to the others.
template <Transport T>
class Section {
  public:
    /// `seconds` for all `quantities` together; `goal.budget` does not matter.
    Section(Pair<T>& pair, const Goal& goal, double seconds, int quantities,
            Disturbance& disturbance, ProgressReport report = {})
        : pair_(pair),
          goal_(goal),
          seconds_(seconds),
          quantities_(quantities),
          disturbance_(disturbance),
          report_(std::move(report)),
          start_(pair.transport().now()) {}

    [[nodiscard]] Pair<T>& pair() { return pair_; }

    /// Samples one quantity, which `what` names for people. `sample()` is called by both ranks and
    /// returns one sample on rank 0, as the estimate is rank 0's.
    Estimate measure(const std::string& what, const std::function<double()>& sample) {
        report(what);
        const Estimate result = lapwing::sample(pair_, next_goal(), disturbance_, sample);
        ++done_;
        return result;
    }

  private:
    /// The time that is left is shared among the quantities that are left.
    [[nodiscard]] Goal next_goal() const {
        Goal goal = goal_;
        const double left = std::max(0.0, seconds_ - (pair_.transport().now() - start_));
        goal.budget = left / std::max(1, quantities_ - done_);
        return goal;
    }
    void report(const std::string& what) {
        if (pair_.first() && report_)
            report_(static_cast<double>(done_) / std::max(1, quantities_), what);
    }

    Pair<T>& pair_;
    Goal goal_;
    double seconds_;
    int quantities_;
    Disturbance& disturbance_;
    ProgressReport report_;
    double start_;
    int done_ = 0;
};

}  // namespace lapwing

#pragma once

#include <functional>
#include <string>

#include "lapwing/calibrate/sampling/sampling.hpp"

namespace lapwing {

/// Divides a time among a number of quantities. The remaining quantities share the remaining time.
/// So those that are known soon leave their time to the others.
class TimeShare {
  public:
    /// `goal.budget`: seconds for all `quantities` together.
    TimeShare(RankPair& pair, const SamplingGoal& goal, int quantities, NoiseCounts& noise,
              StatusCallback status = {});

    [[nodiscard]] RankPair& pair() { return pair_; }

    /// Samples one quantity, which `what` names for people. Both ranks call `measure()`, which
    /// returns one sample on rank 0; the result is rank 0's.
    Estimate measure(const std::string& what, const std::function<double()>& measure);

  private:
    RankPair& pair_;
    SamplingGoal goal_;
    int quantities_;
    NoiseCounts& noise_;
    StatusCallback status_;
    double start_;
    int done_ = 0;
};

}  // namespace lapwing

#pragma once

#include <vector>

#include "lapwing/calibrate/environment/clock_speed.hpp"
#include "lapwing/calibrate/environment/probes.hpp"
#include "lapwing/calibrate/ranks/rank_pair.hpp"
#include "lapwing/profile/environment.hpp"

namespace lapwing {

/// Reads the environment of two ranks, and knows the best one in which anything was measured. With
/// a budget of time, it waits for that one to come again. The budget is 0 at first: nothing waits
/// unless it was asked to.
class EnvironmentMonitor {
  public:
    /// Both ranks of `pair` construct one together.
    explicit EnvironmentMonitor(RankPair& pair) : pair_(pair), probes_(environment_probes(pair)) {}

    /// This rank's clock.
    [[nodiscard]] ClockSpeed& clock() { return clock_; }

    /// The environment at this moment. Both ranks call it; rank 0's result counts.
    Environment read();

    /// Says that something was measured in the environment `here`.
    void measured(const Environment& here) { best_ = best_of(best_, here); }
    /// The best that was measured in, indicator by indicator.
    [[nodiscard]] const Environment& best() const { return best_; }

    /// Says that a quantity is known from samples of the environment `here`.
    void counted(const Environment& here) { counted_.push_back(here); }
    /// The environment of the quantities since the last call: what three quarters of them were
    /// measured in, or in better. Empty if there were none.
    Environment take_counted();

    /// Seconds that may still be spent on waiting for an environment.
    [[nodiscard]] double wait_budget() const;
    void set_wait_budget(double seconds) { wait_budget_ = seconds; }
    /// Takes `seconds` from the budget.
    void spend_wait(double seconds);

    /// Whether the environment is comparable with `wanted` now. Both ranks call it and hear the
    /// same.
    bool is_comparable(const Environment& wanted);
    /// Waits until it is, within the budget; false if it does not become so. Both ranks call it and
    /// hear the same.
    bool wait_for(const Environment& wanted);

  private:
    RankPair& pair_;
    ClockSpeed clock_;
    std::vector<EnvironmentProbe> probes_;
    Environment best_;
    std::vector<Environment> counted_;
    double wait_budget_ = 0;
};

}  // namespace lapwing

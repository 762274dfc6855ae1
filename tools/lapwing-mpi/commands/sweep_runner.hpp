#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lapwing/plan/plan.hpp"
#include "results/sweep_json.hpp"
#include "trials/trial.hpp"

namespace lapwing::tools {

/// Times one workload: the blocking baseline, every uniform way to run it, the paper's plan and
/// ours. All ranks of the trial call its functions, with the same plans.
class SweepRunner {
  public:
    /// Times the communication of each point. `points`: what to time beside the baseline and the
    /// plans; may be empty.
    SweepRunner(Trial& trial, int repetitions, const std::vector<GridPoint>& points);

    /// Sets the computation to `ratio` times the communication of the blocking run, or to `compute`
    /// seconds if that is not negative. Returns the seconds.
    double set_computation(double ratio, double compute);
    /// Either plan may be missing. `planned` runs our plan, with the same computation; it may be
    /// another trial, over another transport.
    void run(const std::optional<Plan>& ours, const std::optional<Plan>& paper, Trial& planned);

    [[nodiscard]] const SweepTimes& times() const { return times_; }

  private:
    void report(double share, const std::string& what) const;
    [[nodiscard]] std::vector<std::size_t> fastest_points(std::size_t most) const;
    [[nodiscard]] int rounds(const std::vector<std::size_t>& points) const;
    void sample_interleaved(Trial& planned);

    Trial& trial_;
    int repetitions_;
    SweepTimes times_;
};

}  // namespace lapwing::tools

#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lapwing/plan/plan.hpp"
#include "trials/trial.hpp"

namespace lapwing::tools {

/// A cell, and how long it took each time.
struct TimedPoint {
    GridPoint point;
    std::vector<double> seconds;
    std::vector<double> communication;  ///< without computation

    [[nodiscard]] double quickest() const;
};

/// The sweep of one workload: the blocking baseline, every uniform way to run it, the paper's plan
/// and ours. All ranks of the trial run it, with the same plans.
class SweepRunner {
  public:
    /// `cells`: what to time beside the baseline and the plans; none is allowed.
    SweepRunner(Trial& trial, int repetitions, const std::vector<GridPoint>& points);

    /// Sets what is computed to `ratio` times the communication part of the blocking run, or to
    /// `compute` seconds if that is not negative; the seconds.
    double set_computation(double ratio, double compute);
    /// Either plan may be missing: not everybody can plan everything. `planned`: runs ours, with
    /// the same computation; it may be another trial, over another transport.
    void run(const std::optional<Plan>& ours, const std::optional<Plan>& paper, Trial& planned);
    /// As the schema says, without the workload; rank 0's is the one that is kept.
    [[nodiscard]] nlohmann::ordered_json result() const;

  private:
    void report(double share, const std::string& what) const;
    [[nodiscard]] const TimedPoint* best() const {
        return points_.empty() ? nullptr : &points_[best_];
    }
    void add_paper(nlohmann::ordered_json& json, double hideable) const;
    void add_plan(nlohmann::ordered_json& json, double hideable) const;
    template <class Run>
    double repeated(Run&& run);
    void sample_interleaved(Trial& planned);

    Trial& trial_;
    int repetitions_;
    double compute_ = 0;
    double ratio_ = 0;
    std::optional<Plan> ours_;
    std::optional<Plan> paper_;
    std::vector<TimedPoint> points_;
    std::size_t best_ = 0;
    std::vector<double> blocking_;
    std::vector<double> computation_;
    std::vector<double> ours_seconds_;
    std::vector<double> paper_seconds_;
};

}  // namespace lapwing::tools

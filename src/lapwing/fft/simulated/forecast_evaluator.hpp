#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "lapwing/fft/distribution/transpose_steps.hpp"
#include "lapwing/fft/forecast.hpp"
#include "lapwing/fft/simulated/rates.hpp"
#include "lapwing/fft/simulated/schedule_writer.hpp"
#include "lapwing/fft/transform_problem.hpp"
#include "lapwing/profile/profile.hpp"
#include "lapwing/simulate/costs/measured_machine.hpp"

namespace lapwing::fft {

/// Simulates transforms of one problem on one machine.
class ForecastEvaluator {
  public:
    static constexpr double no_limit = std::numeric_limits<double>::infinity();

    /// Keeps a reference to `profile`. Throws `std::invalid_argument` if there are no ranks, the
    /// array is empty or larger than memory can be, or the profile lacks the rate of the kernel
    /// "fft" or "copy".
    ForecastEvaluator(const Profile& profile, const TransformProblem& problem);

    /// What a transform takes; nothing if that is more than `limit` seconds. Throws
    /// `std::invalid_argument` if the profile lacks what the options need.
    [[nodiscard]] std::optional<Forecast> evaluate(const Options& options,
                                                   double limit = no_limit) const;
    /// An estimate of the same, which is faster where all ranks do nearly the same. In the problem
    /// that it evaluates, all ranks have as much as the rank with most.
    [[nodiscard]] std::optional<Forecast> estimate(const Options& options, double limit) const;
    /// Whether `estimate` returns what `evaluate` does.
    [[nodiscard]] bool estimates_exactly(const Options& options) const;

    /// The size of the simulation: messages of all ranks and, if these are whole arrays, the parts
    /// of planes that are packed.
    [[nodiscard]] double operations(const Options& options) const;
    /// The first transpose of the first rank.
    [[nodiscard]] TransposeStep first_step(const Options& options) const;

    [[nodiscard]] const Profile& profile() const { return profile_; }
    [[nodiscard]] const TransformProblem& problem() const { return problem_; }

  private:
    [[nodiscard]] Grid grid(const Options& options) const;
    [[nodiscard]] std::vector<TransposeStep> steps(const Options& options, int rank) const;
    [[nodiscard]] simulate::MeasuredMachine machine(const Options& options,
                                                    bool charge_receive_overhead) const;
    [[nodiscard]] bool shares_links(const Options& options) const;
    [[nodiscard]] Rates rates(const Options& options) const;
    [[nodiscard]] std::optional<Forecast> run(const TransformProblem& problem,
                                              const Options& options, RankSet ranks,
                                              double limit) const;

    const Profile& profile_;
    TransformProblem problem_;
    Rates rates_;
};

}  // namespace lapwing::fft

#pragma once

#include <optional>
#include <vector>

#include "lapwing/fft/forecast.hpp"
#include "lapwing/fft/simulated/forecast_evaluator.hpp"

namespace lapwing::fft {

/// The fastest of several ways to transform, by estimates. A later one must be faster than those
/// before it by `least_gain`.
class FastestWay {
  public:
    explicit FastestWay(const ForecastEvaluator& evaluator) : evaluator_(evaluator) {}

    /// Considers a way, unless its simulation would take too long.
    void offer(const Options& options);
    [[nodiscard]] const std::optional<Forecast>& get() const { return best_; }

  private:
    const ForecastEvaluator& evaluator_;
    std::optional<Forecast> best_;
};

/// The ways from which a caller chooses, such as the fastest of each schedule.
class Shortlist {
  public:
    /// Seconds of a forecast for comparison, with a penalty or a bonus.
    using Seconds = double (*)(const Forecast&);

    Shortlist(const ForecastEvaluator& evaluator, Seconds compared)
        : evaluator_(evaluator), compared_(compared) {}

    void add(const Forecast& way) { ways_.push_back(way); }
    /// The ways in the order of addition, with all that is known of each.
    [[nodiscard]] const std::vector<Forecast>& ways() const { return ways_; }
    /// Whether a way of so many seconds is not much slower than any on the list.
    [[nodiscard]] bool is_contender(double seconds) const;

    /// The ways, fastest first. Evaluates those that may be the fastest where there are only
    /// estimates: the first in any case, and of the others as many as are soon simulated.
    [[nodiscard]] std::vector<Forecast> sorted();

  private:
    void sort();

    const ForecastEvaluator& evaluator_;
    Seconds compared_;
    std::vector<Forecast> ways_;
};

}  // namespace lapwing::fft

#pragma once

#include <cstddef>
#include <vector>

#include "lapwing/calibrate/environment/clock_speed.hpp"
#include "lapwing/calibrate/statistics/estimate.hpp"
#include "lapwing/profile/environment.hpp"

namespace lapwing {

/// The samples of one quantity, visit by visit. Each visit carries its environment. Visits in
/// another environment than the best one do not count.
class Series {
  public:
    /// Of time that passes whatever the processor does.
    Series() = default;
    /// Of processor time, which is scaled to the fastest clock that was seen.
    explicit Series(const ClockSpeed& clock) : clock_(&clock) {}

    /// Adds a sample to the present visit.
    void add(double sample) { visit_.push_back(sample); }
    /// Ends the present visit, which was made in the environment `here`.
    void close(const Environment& here = {});

    /// The median of all samples that count, with the error of the visits' medians.
    [[nodiscard]] Estimate estimate() const;
    [[nodiscard]] double median() const { return estimate().median; }
    /// A quarter of the samples that count are below it.
    [[nodiscard]] double lower_quartile() const;
    /// The relative error of the visits' medians. Not of the samples: those of one visit are
    /// correlated, and many of them say no more than a few. It is 1, for unknown, if there are
    /// fewer than three visits comparable with the best while others were set aside.
    [[nodiscard]] double error() const;
    /// The median environment of the visits that count.
    [[nodiscard]] Environment environment() const;
    /// Whether three visits or more are comparable with `best`, or no visit was made at all.
    [[nodiscard]] bool has_comparable(const Environment& best) const;

  private:
    struct Visit {
        Environment here;
        double median = 0;
        std::vector<double> samples;
    };

    [[nodiscard]] double unit() const { return clock_ != nullptr ? clock_->fastest() : 1; }
    [[nodiscard]] std::vector<const Visit*> counting() const;
    [[nodiscard]] std::vector<double> samples() const;

    const ClockSpeed* clock_ = nullptr;
    std::vector<double> visit_;
    std::vector<Visit> visits_;
    Environment best_;
};

/// The median of each series.
std::vector<double> medians(const std::vector<Series>& series);

}  // namespace lapwing

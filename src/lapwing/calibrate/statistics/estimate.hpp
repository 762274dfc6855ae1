#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace lapwing {

/// The median of repeated samples of one quantity, and how well it is known.
struct Estimate {
    double median = 0;
    double error = 0;         ///< relative: half the 95 % confidence interval, over the median
    std::size_t samples = 0;  ///< samples that were kept
    std::size_t dropped = 0;  ///< samples that were dropped as disturbances
};

/// The median of `values`, which this sorts; 0 if there are none.
double median(std::vector<double>& values);

/// The median of `samples` and its relative error by order statistics, which assume no
/// distribution: timings have none. Samples more than six median absolute deviations above the
/// median are dropped first. None below it is: disturbances make a machine slower, never faster.
Estimate estimate(std::span<const double> samples);

}  // namespace lapwing

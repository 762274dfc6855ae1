#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace lapwing {

/// What repeated samples of one quantity say.
struct Estimate {
    double median = 0;
    double error = 0;         ///< half the 95 % confidence interval of the median, over the median
    std::size_t samples = 0;  ///< that were kept
    std::size_t dropped = 0;  ///< that stood far outside the others
};

/// Median of `values`, which are sorted meanwhile; 0 of none.
inline double median(std::vector<double>& values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// Median and its error by order statistics (no distribution assumed: timings have none). Samples
/// more than six median deviations above the median are disturbances and dropped first; none below
/// it is, for nothing makes a machine faster than it is.
inline Estimate estimate(std::span<const double> samples) {
    Estimate result;
    if (samples.empty()) return result;
    std::vector<double> sorted(samples.begin(), samples.end());
    const double centre = median(sorted);
    std::vector<double> deviations;
    deviations.reserve(sorted.size());
    for (const double value : sorted) deviations.push_back(std::abs(value - centre));
    const double bound = centre + 6 * median(deviations) + 1e-3 * std::abs(centre);
    const auto kept = std::upper_bound(sorted.begin(), sorted.end(), bound) - sorted.begin();
    result.dropped = sorted.size() - static_cast<std::size_t>(kept);
    sorted.resize(static_cast<std::size_t>(kept));

    result.samples = sorted.size();
    result.median = median(sorted);
    const auto n = static_cast<double>(sorted.size());
    const double reach = 0.98 * std::sqrt(n);
    const auto last = static_cast<double>(sorted.size() - 1);
    const auto low = static_cast<std::size_t>(std::max(0.0, std::floor(n / 2 - reach)));
    const auto high = static_cast<std::size_t>(std::min(last, std::ceil(n / 2 + reach)));
    if (result.median != 0)
        result.error = std::abs((sorted[high] - sorted[low]) / 2 / result.median);
    return result;
}

}  // namespace lapwing

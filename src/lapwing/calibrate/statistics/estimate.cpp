#include "lapwing/calibrate/statistics/estimate.hpp"

#include <algorithm>
#include <cmath>

namespace lapwing {

double median(std::vector<double>& values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Estimate estimate(std::span<const double> samples) {
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
    // The ranks of the order statistics that hold the median with 95 %: n / 2 -+ 1.96 sqrt(n) / 2.
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

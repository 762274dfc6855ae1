#include "lapwing/calibrate/statistics/detect.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "lapwing/calibrate/statistics/estimate.hpp"

namespace lapwing {
namespace {

double median_of(std::span<const double> values) {
    std::vector<double> copy(values.begin(), values.end());
    return median(copy);
}

}  // namespace

std::optional<int> detect_queue_depth(std::span<const double> initiation, double factor) {
    constexpr std::size_t least = 4;  // fewer messages before or after the change prove nothing
    const std::size_t n = initiation.size();
    if (n < 2 * least) return std::nullopt;
    const double end = median_of(initiation.last(std::max(least, n / 8)));
    for (std::size_t k = least; k + least <= n; ++k) {
        // The first message may pay for waking up: it does not stand for the others.
        const double before = median_of(initiation.subspan(1, k - 1));
        // Both this message and the typical one of the next few must be slow.
        if (initiation[k] < factor * before ||
            median_of(initiation.subspan(k, least)) < factor * before)
            continue;
        if (median_of(initiation.subspan(k)) >= factor * before && end >= factor * before)
            return static_cast<int>(k);
    }
    return std::nullopt;
}

std::optional<int> detect_completion_depth(std::span<const int> bursts,
                                           std::span<const double> times, double factor) {
    constexpr std::size_t least = 2;  // fewer bursts before or after the change prove nothing
    std::vector<double> each;         // seconds a further message takes
    for (std::size_t i = 1; i < bursts.size(); ++i)
        each.push_back((times[i] - times[i - 1]) / (bursts[i] - bursts[i - 1]));
    const std::span<const double> all = each;
    for (std::size_t k = least; k + least <= each.size(); ++k) {
        // The fixed part of a burst bounds from below what its messages can be said to have taken.
        const double before = std::max(median_of(all.first(k)), times[k] / bursts[k] / 4);
        if (each[k] >= factor * before && median_of(all.subspan(k)) >= factor * before &&
            median_of(all.last(least)) >= factor * before)
            return bursts[k];
    }
    return std::nullopt;
}

std::optional<std::uint64_t> detect_outstanding_limit(std::span<const std::uint64_t> volumes,
                                                      std::span<const double> bandwidths,
                                                      double drop) {
    constexpr std::size_t least = 2;
    if (volumes.size() < least + 2) return std::nullopt;
    std::vector<double> sorted(bandwidths.begin(), bandwidths.end());
    std::nth_element(sorted.begin(), sorted.begin() + 1, sorted.end(), std::greater<>());
    const double bound = (1 - drop) * sorted[1];
    std::size_t last = volumes.size();
    while (last > 0 && bandwidths[last - 1] < bound) --last;
    if (last == 0 || volumes.size() - last < least) return std::nullopt;
    return volumes[last - 1];
}

}  // namespace lapwing

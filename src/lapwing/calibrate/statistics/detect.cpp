#include "lapwing/calibrate/statistics/detect.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

#include "lapwing/calibrate/statistics/estimate.hpp"

namespace lapwing {
namespace {

double median_of(std::span<const double> values) {
    std::vector<double> copy(values.begin(), values.end());
    return median(copy);
}

constexpr std::size_t few = 4;  // fewer messages after a change prove nothing

/// What the last messages of a burst take, typically.
double end_of(std::span<const double> initiation) {
    return median_of(initiation.last(std::max(few, initiation.size() / 8)));
}

/// The first message that may be slow: in noise fewer before it prove nothing.
std::size_t first_that_counts(const Burst& burst) { return burst.exact ? 1 : few; }

/// The first message that waits for the wire, as those after it do: typically, or on average where
/// there is no noise. (One that waits until messages that share the wire are all but complete lets
/// some go without a wait.)
std::optional<std::size_t> first_waiting(const Burst& burst) {
    const auto initiation = burst.initiation;
    const double least = burst.exact ? *std::min_element(initiation.begin(), initiation.end())
                                     : median_of(initiation.first(few));
    // A wire about as fast as initiation keeps nobody waiting for long enough to be told from
    // noise.
    if (!burst.exact && burst.gap < 2 * least) return std::nullopt;
    const double bound = least + burst.gap / 4;
    const double pace = 0.75 * burst.gap;
    double rest = std::accumulate(initiation.begin(), initiation.end(), 0.0);
    for (std::size_t k = 0; k + few <= initiation.size(); rest -= initiation[k++]) {
        if (k < first_that_counts(burst) || initiation[k] < bound) continue;
        const bool slow = burst.exact ? rest >= pace * static_cast<double>(initiation.size() - k)
                                      : median_of(initiation.subspan(k)) >= pace &&
                                            median_of(initiation.subspan(k, few)) >= pace &&
                                            end_of(initiation) >= pace;
        if (slow) return k;
    }
    return std::nullopt;
}

/// The first message from which on all take `factor` times as long as those before.
std::optional<std::size_t> first_dearer(std::span<const double> initiation, std::size_t first,
                                        double factor) {
    const std::size_t n = initiation.size();
    if (n < 2 * few) return std::nullopt;
    const double end = end_of(initiation);
    for (std::size_t k = first; k + few <= n; ++k) {
        // The first message may pay for waking up: it does not stand for the others.
        const double before = k == 1 ? initiation[0] : median_of(initiation.subspan(1, k - 1));
        const double bound = factor * before;
        // Both this message and the typical one of the next few must be slow.
        if (initiation[k] >= bound && end >= bound &&
            median_of(initiation.subspan(k, few)) >= bound &&
            median_of(initiation.subspan(k)) >= bound)
            return k;
    }
    return std::nullopt;
}

/// The last message of which that is true.
std::optional<std::size_t> last_dearer(const Burst& burst, double factor) {
    std::optional<std::size_t> last;
    while (const auto next = first_dearer(burst.initiation.subspan(last.value_or(0)),
                                          first_that_counts(burst), factor))
        last = last.value_or(0) + *next;
    return last;
}

}  // namespace

std::vector<double> completions(std::span<const double> received, double overhead, double gap) {
    constexpr double busy = 1.05;  // overheads between two messages of a receiver without a pause
    std::vector<double> complete;
    for (std::size_t j = 0; j < received.size(); ++j) {
        double seconds = received[j] - overhead;
        if (j > 0 && received[j] - received[j - 1] < busy * overhead)
            seconds = std::min(seconds, complete.back() + gap);
        complete.push_back(seconds);
    }
    return complete;
}

int Burst::outstanding(std::size_t k) const {
    constexpr double same_moment = 0.01;  // of a gap
    const auto before = static_cast<std::ptrdiff_t>(k);
    const double start =
        std::accumulate(initiation.begin(), initiation.begin() + before, same_moment * gap);
    return static_cast<int>(std::count_if(complete.begin(), complete.begin() + before,
                                          [&](double seconds) { return seconds > start; }));
}

std::optional<QueueDepth> detect_queue_depth(const Burst& burst, double factor) {
    if (burst.initiation.size() < 2 * few) return std::nullopt;
    const auto waiting = first_waiting(burst);
    const auto slow = waiting ? waiting : last_dearer(burst, factor);
    if (!slow) return std::nullopt;
    return QueueDepth{std::max(1, burst.outstanding(*slow)), waiting.has_value(), *slow};
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

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "lapwing/calibrate/benchmarks/pair_benchmarks.hpp"
#include "lapwing/calibrate/parts/message_measurement.hpp"
#include "lapwing/calibrate/sampling/series.hpp"
#include "lapwing/calibrate/statistics/detect.hpp"
#include "lapwing/calibrate/statistics/estimate.hpp"
#include "lapwing/compute/charge.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing {
namespace {

constexpr double fills = 4;      ///< overheads for which a message of a burst has the wire
constexpr int first_count = 32;  ///< messages of the shortest burst

std::vector<double> medians_of(std::vector<std::vector<double>>& samples) {
    std::vector<double> result;
    result.reserve(samples.size());
    for (auto& each : samples) result.push_back(median(each));
    return result;
}

/// Fills the queue with bursts that grow, of messages that leave it slowly. Both ranks do all of
/// it; rank 0 knows what came out.
class QueueDepthMeasurement {
  public:
    explicit QueueDepthMeasurement(MessageMeasurement& m) : m_(m) {}

    void run();

  private:
    /// A burst: what to do.
    struct Trial {
        std::uint64_t size = 0;  ///< bytes of a message
        int count = 0;
    };

    [[nodiscard]] Trial agreed(Trial trial);
    [[nodiscard]] double most_bytes() const;
    [[nodiscard]] std::uint64_t size_of(double gap) const;
    [[nodiscard]] std::uint64_t filling_size() const;
    std::optional<QueueDepth> look(Trial trial);
    std::optional<QueueDepth> look_closer(Trial trial, const QueueDepth& found);
    void enlarge(Trial& trial) const;
    [[nodiscard]] bool on_both(bool value) { return m_.pair.from_first(value ? 1 : 0) != 0; }

    MessageMeasurement& m_;
    std::vector<double> initiation_;  ///< of the last trial, seconds [message]
    double filling_seconds_ = 0;      ///< of it, until the queue was full
    int most_outstanding_ = 0;        ///< of all trials
};

/// Rank 0's, on both ranks.
QueueDepthMeasurement::Trial QueueDepthMeasurement::agreed(Trial trial) {
    return {static_cast<std::uint64_t>(m_.pair.from_first(static_cast<double>(trial.size))),
            static_cast<int>(m_.pair.from_first(trial.count))};
}

/// Bytes of a burst, at most: as long as it may keep the wire busy. A simulated one takes memory.
double QueueDepthMeasurement::most_bytes() const {
    constexpr double memory = 512e6;
    return simulated_time ? memory : m_.context.longest / m_.profile.loggp.G;
}

/// Bytes that have the wire for `gap` seconds.
std::uint64_t QueueDepthMeasurement::size_of(double gap) const {
    return static_cast<std::uint64_t>(std::ceil(gap / m_.profile.loggp.G / 8)) * 8;
}

/// The shortest message of a burst that fills a queue: it has the wire for several times as long as
/// its initiation takes, or for nearly as many times as any message has.
std::uint64_t QueueDepthMeasurement::filling_size() const {
    constexpr std::uint64_t shortest = 1024;
    constexpr double nearly = 0.75;
    const double longest = most_bytes() / first_count;
    std::vector<double> overheads;
    for (const auto& row : m_.profile.overhead.send) overheads.push_back(row.front());
    const auto times = [&](double bytes) {
        const double overhead = extrapolate(m_.profile.overhead.sizes, overheads, bytes);
        return m_.profile.loggp.G * bytes / std::max(overhead, 1e-9);
    };
    double most = 0;
    for (double bytes = shortest; bytes <= longest; bytes *= 1.25)
        most = std::max(most, times(bytes));
    double size = shortest;
    while (times(size) < std::min(fills, nearly * most)) size *= 1.25;
    return static_cast<std::uint64_t>(size / 8) * 8;
}

/// Initiates a burst and finds the queue's depth in it. All is quiet before and after.
std::optional<QueueDepth> QueueDepthMeasurement::look(Trial trial) {
    constexpr std::uint64_t few = 8;
    PairBenchmarks benchmarks(m_.pair, std::max<std::uint64_t>(trial.size, 1 << 20));
    const int times = simulated_time ? 1 : 9;
    Series gaps;
    benchmarks.flood_gaps(trial.size, few, false, times, gaps);
    const auto count = static_cast<std::size_t>(trial.count);
    std::vector<std::vector<double>> initiation(count);
    std::vector<std::vector<double>> received(count);
    for (int i = 0; i < times; ++i) {
        m_.pair.yield_core();
        const BurstTimes once = benchmarks.burst_times(trial.size, trial.count);
        for (std::size_t k = 0; k < once.initiation.size(); ++k) {
            initiation[k].push_back(once.initiation[k]);
            received[k].push_back(once.received[k]);
        }
    }
    if (!m_.pair.first()) return std::nullopt;
    gaps.close();
    const auto bytes = static_cast<double>(trial.size);
    const double gap = std::max(gaps.median(), 1e-3 * m_.profile.loggp.G * bytes);
    initiation_ = medians_of(initiation);
    const auto complete =
        completions(medians_of(received), receive_overhead(m_.profile, bytes), gap);
    const Burst burst{initiation_, complete, gap, simulated_time};
    most_outstanding_ = std::max(most_outstanding_, burst.outstanding(count));
    // In simulated time a difference is one, however small.
    const auto found = detect_queue_depth(burst, simulated_time ? 1.01 : 2);
    filling_seconds_ = std::accumulate(
        initiation_.begin(),
        initiation_.begin() + static_cast<std::ptrdiff_t>(found ? found->full : count), 0.0);
    return found;
}

/// Looks again, with messages so long that none is complete before the queue is full: then the
/// depth needs no correction. Messages then make a wait longer, but no overhead, which tells the
/// two apart.
std::optional<QueueDepth> QueueDepthMeasurement::look_closer(Trial trial, const QueueDepth& found) {
    constexpr double longer = 1.25;
    constexpr std::uint64_t longer_at_least = 4;
    constexpr std::size_t beyond = 8;  // messages after the queue is full
    const bool drained = static_cast<int>(found.full) > found.depth;
    if (on_both(!found.waits && !drained)) return found;
    Trial closer;
    closer.count = static_cast<int>(found.full + std::max(beyond, found.full / 8));
    const auto most = static_cast<std::uint64_t>(most_bytes() / closer.count / 8) * 8;
    closer.size =
        std::min(most, std::max(longer_at_least * trial.size, size_of(longer * filling_seconds_)));
    closer = agreed(closer);
    const bool worthwhile = on_both(closer.size >= 2 * trial.size);
    if (!worthwhile) return found;
    const auto again = look(closer);
    return again ? again : found;
}

/// Makes messages so long that the wire takes several times as long as initiation did in the end.
void QueueDepthMeasurement::enlarge(Trial& trial) const {
    if (!m_.pair.first()) return;
    const double dearest = *std::max_element(initiation_.begin() + 1, initiation_.end());
    const auto most = static_cast<std::uint64_t>(most_bytes() / trial.count / 8) * 8;
    trial.size = std::max(trial.size, std::min(most, size_of(fills * dearest)));
}

void QueueDepthMeasurement::run() {
    constexpr int growth = 4;
    std::optional<QueueDepth> found;
    Trial trial = agreed({filling_size(), first_count});
    while (true) {
        auto here = look(trial);
        if (on_both(here.has_value())) {
            here = look_closer(trial, here.value_or(QueueDepth{}));
            found = here;
            if (on_both(found && found->waits)) break;
            enlarge(trial);
        }
        const double affordable = most_bytes() / static_cast<double>(trial.size);
        const int count = static_cast<int>(
            std::min<double>({static_cast<double>(growth) * trial.count, affordable,
                              static_cast<double>(m_.options.deepest_queue)}));
        const int before = trial.count;
        trial = agreed({trial.size, count});
        if (trial.count <= before) break;
    }
    m_.profile.queue_depth.reset();
    if (found) {
        m_.profile.queue_depth = found->depth;
    } else {
        m_.profile.queue_depth_reason = "initiating messages of " + std::to_string(trial.size) +
                                        " bytes did not slow down up to " +
                                        std::to_string(most_outstanding_) + " outstanding";
    }
}

}  // namespace

void measure_queue_depth(MessageMeasurement& m) { QueueDepthMeasurement(m).run(); }

}  // namespace lapwing

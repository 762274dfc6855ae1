#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lapwing/calibrate/benchmarks/pair_benchmarks.hpp"
#include "lapwing/calibrate/ranks/pair_messages.hpp"
#include "lapwing/calibrate/ranks/rank_pair.hpp"
#include "lapwing/calibrate/sampling/sample_interleaved.hpp"
#include "lapwing/calibrate/statistics/completion_depth.hpp"
#include "lapwing/calibrate/statistics/estimate.hpp"
#include "lapwing/calibrate/statistics/outstanding_limit.hpp"
#include "lapwing/calibrate/statistics/switch_points.hpp"
#include "lapwing/pipeline/window/message_window.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// Where to look for what a transport does differently.
struct ProtocolOptions {
    std::uint64_t smallest = 16;      ///< bytes of the shortest message
    std::uint64_t largest = 1 << 20;  ///< bytes of the longest
    std::uint64_t message = 16384;    ///< bytes of each of many messages outstanding
    std::uint64_t most = 32 << 20;    ///< bytes outstanding
    int deepest = 256;                ///< messages outstanding
    double longest = 20e-3;           ///< seconds one message may keep the wire busy
    double longest_flood = 70e-3;     ///< seconds many messages may

    /// In a few seconds.
    static ProtocolOptions quick() {
        ProtocolOptions options;
        options.largest = 262144;
        options.most = 4 << 20;
        options.longest = 10e-3;
        options.longest_flood = 35e-3;
        return options;
    }
};

/// Seconds that a receive takes which is posted `late` seconds after the message of `size` bytes
/// was sent: as long as a copy if the message has come meanwhile, all of its way if its sender had
/// to wait for the receive.
template <Transport T>
double late_receive(TransportPair<T>& pair, Buffers& buffers, std::uint64_t size, double late) {
    T& transport = pair.transport();
    PairMessages messages(pair, buffers, size);
    pair.barrier();
    if (!pair.first()) {
        auto request = messages.send(0);
        wait_until(transport.now() + late);
        pair.barrier();
        request.wait();
        return 0;
    }
    wait_until(transport.now() + late);
    pair.barrier();
    const double start = transport.now();
    messages.receive(0).wait();
    return transport.now() - start;
}

/// Seconds that a send of `size` bytes by rank 0 takes to end whose receive is posted `late`
/// seconds after it began: next to nothing if it need not wait for that.
template <Transport T>
double early_send(TransportPair<T>& pair, Buffers& buffers, std::uint64_t size, double late) {
    T& transport = pair.transport();
    PairMessages messages(pair, buffers, size);
    pair.barrier();
    const double start = transport.now();
    if (!pair.first()) {
        wait_until(start + late);
        messages.receive(0).wait();
        return 0;
    }
    messages.send(0).wait();
    return transport.now() - start;
}

/// Seconds that `count` messages of `size` bytes to rank 0 take with `window` of them outstanding
/// on both ranks.
template <Transport T>
double windowed_flood(TransportPair<T>& pair, Buffers& buffers, std::uint64_t size,
                      std::uint64_t count, int window) {
    PairMessages messages(pair, buffers, size);
    const auto initiate = [&](std::uint64_t i) {
        return pair.first() ? messages.receive(i) : messages.send(i);
    };
    MessageWindow<typename T::Request> flight(window, 0);
    std::uint64_t next = 0;
    if (pair.first())
        while (next < count && !flight.full()) flight.push(initiate(next++));
    const double start = pair.start_together();
    for (; next < count; ++next) {
        flight.make_room();
        flight.push(initiate(next));
    }
    flight.drain();
    return pair.transport().now() - start;
}

/// Seconds from the first of `burst` sends of `size` bytes by rank 0 to the completion of the last;
/// the receives are posted.
template <Transport T>
double completion(TransportPair<T>& pair, Buffers& buffers, std::uint64_t size, int burst) {
    T& transport = pair.transport();
    PairMessages messages(pair, buffers, size);
    std::vector<typename T::Request> requests;
    requests.reserve(static_cast<std::size_t>(burst));
    const auto count = static_cast<std::uint64_t>(burst);
    for (std::uint64_t i = 0; i < count && !pair.first(); ++i)
        requests.push_back(messages.receive(i));
    pair.barrier();
    const double start = transport.now();
    for (std::uint64_t i = 0; i < count && pair.first(); ++i) requests.push_back(messages.send(i));
    for (auto& request : requests) request.wait();
    const double took = transport.now() - start;
    pair.barrier();
    return took;
}

/// Finds out where a transport changes how it moves a message, and how much it takes at once.
template <Transport T>
class ProtocolMeasurement {
  public:
    /// Takes about `seconds`.
    ProtocolMeasurement(TransportPair<T>& pair, const ProtocolOptions& options,
                        const SamplingGoal& goal, double seconds, NoiseCounts& noise,
                        StatusCallback report = {})
        : pair_(pair),
          options_(options),
          goal_(goal),
          seconds_(seconds),
          noise_(noise),
          report_(std::move(report)),
          exchange_(pair, std::max(options.most, options.largest)) {}

    /// Sizes at which the time of a message in a flood jumps, whether or not a message by itself
    /// takes longer: the wire's rate is another for longer ones. Known when `run` is over, on both
    /// ranks.
    [[nodiscard]] const std::vector<std::uint64_t>& rate_switches() const { return rates_; }
    /// These, and on a real machine those at which a message by itself clearly takes longer: in
    /// simulated time a jump is known exactly. Known when `run` is over, on both ranks.
    [[nodiscard]] const std::vector<std::uint64_t>& clear_switches() const { return clear_; }

    Protocol run() {
        look();
        find_switches();
        find_outstanding();
        find_completion_depth();
        return std::move(protocol_);
    }

  private:
    /// Learns roughly how fast the wire is, so that what follows can be bounded in time.
    void look() {
        constexpr std::uint64_t large = 65536;
        std::vector<double> one;
        std::vector<double> many;
        for (int i = 0; i < (simulated_time ? 1 : 9); ++i) {
            one.push_back(exchange_.half_round_trip(options_.smallest));
            many.push_back(exchange_.half_round_trip(large));
        }
        latency_ = pair_.from_first(*std::min_element(one.begin(), one.end()));
        const double way = pair_.from_first(*std::min_element(many.begin(), many.end()));
        per_byte_ = std::max(way - latency_, 1e-3 * way) / static_cast<double>(large);
    }
    [[nodiscard]] double wire(std::uint64_t bytes) const {
        return per_byte_ * static_cast<double>(bytes);
    }
    /// A link that gives away a burst after idleness has to be idle before each sample.
    void rest(std::uint64_t bytes) {
        constexpr double longest = 300e-6;
        if (!simulated_time) wait_until(pair_.transport().now() + std::min(longest, wire(bytes)));
    }

    double trip(std::uint64_t size) {
        rest(size);
        return exchange_.half_round_trip(size);
    }
    double late(std::uint64_t size) {
        rest(size);
        return late_receive(pair_, exchange_.buffers(), size,
                            20e-6 + 3 * latency_ + 2 * wire(size));
    }

    /// Seconds a message takes in a flood.
    double gap(std::uint64_t size) {
        constexpr double longest_gap_flood = 3e-3;
        const std::uint64_t count = flood_count(wire(size), longest_gap_flood);
        rest(size);
        const double all = exchange_.flood(size, count);
        return (all - exchange_.flood(size, 1)) / static_cast<double>(count - 1);
    }

    /// Three ways to see a switch: what half a round trip takes longer, where a message begins to
    /// wait for its receive, and what a message takes longer in a flood. The second is the plainest
    /// one, and the only one where a sender that need not wait loses no time; the third sees what a
    /// longer latency hides.
    void find_switches() {
        // Powers of two and one size between any two of them.
        std::vector<std::uint64_t> sizes;
        for (std::uint64_t size = options_.smallest; size <= options_.largest; size *= 2) {
            if (wire(size) > options_.longest) break;
            sizes.push_back(size);
            if (size + size / 2 <= options_.largest) sizes.push_back(size + size / 2);
        }
        const auto find = [&](const char* what, auto&& sample) {
            const auto series =
                taken(what, sizes.size(), [&](std::size_t i) { return sample(sizes[i]); });
            std::map<std::uint64_t, Estimate> known;
            for (std::size_t i = 0; i < sizes.size(); ++i)
                known[sizes[i]] = both(series[i].estimate());
            return switch_points(known, [&](std::uint64_t size) {
                constexpr double part = 0.01;
                SamplingGoal goal = goal_;
                goal.budget = part * seconds_;
                return both(lapwing::sample(pair_, goal, noise_, [&] { return sample(size); }));
            });
        };
        const auto late_changes =
            find("eager limit", [&](std::uint64_t size) { return late(size); });
        protocol_.eager = eager_limit(late_changes);
        protocol_.eager_overtakes = overtaken(protocol_.eager.value_or(0));
        protocol_.buffered = buffered_limit(sizes.back());
        const auto jumps =
            find("protocol switches", [&](std::uint64_t size) { return trip(size); });

        const auto rates = find("bandwidth", [&](std::uint64_t size) { return gap(size); });

        std::map<std::uint64_t, std::optional<double>> all;
        for (const auto& point : late_changes) all[point.size] = std::nullopt;
        // One switch seen twice, give or take the noise, of which simulated time has none.
        const auto same = [](std::uint64_t one, std::uint64_t other) {
            return std::max(one, other) - std::min(one, other) <=
                   (simulated_time ? 1 : 64 + other / 64);
        };
        for (const auto& point : jumps)
            if (std::none_of(late_changes.begin(), late_changes.end(),
                             [&](const auto& other) { return same(point.size, other.size); }))
                all[point.size] = point.jump;
        for (const auto& point : rates) {
            const auto seen = std::find_if(all.begin(), all.end(), [&](const auto& other) {
                return same(point.size, other.first);
            });
            rates_.push_back(seen == all.end() ? point.size : seen->first);
        }
        for (const std::uint64_t size : rates_) all.try_emplace(size, std::nullopt);
        for (const auto& [size, jump] : all) {
            constexpr double clearly = 0.05;  // share of a message
            protocol_.switches.push_back(size);
            protocol_.switch_costs.push_back(jump ? *jump : behind(size));
            const bool rate = std::count(rates_.begin(), rates_.end(), size) > 0;
            const bool clear =
                std::abs(protocol_.switch_costs.back()) > clearly * (latency_ + wire(size));
            // Rank 1 has another jump.
            if (pair_.from_first(rate || (clear && !simulated_time) ? 1 : 0) != 0)
                clear_.push_back(size);
        }
        if (all.empty())
            protocol_.switches_reason = "nothing changes between " + std::to_string(sizes.front()) +
                                        " and " + std::to_string(sizes.back()) + " bytes";
    }
    /// Where a message begins to wait for its receive, of the sizes at which something changes for
    /// a receive that is late: other things change too, and what is next to nothing may be noise.
    std::optional<std::uint64_t> eager_limit(const std::vector<SwitchPoint>& changes) {
        if (waits(options_.smallest)) return 0;
        for (const auto& point : changes)
            if (point.jump > 0 && waits(point.size + 1)) return point.size;
        return std::nullopt;
    }
    /// Whether a message of `size` bytes is only on its way when its receive is posted: a late
    /// receive takes all of that way, or next to nothing.
    bool waits(std::uint64_t size) {
        const double late_one = known("eager limit", [&] { return late(size); });
        const double alone = known("eager limit", [&] { return trip(size); });
        const double taken_up = known("eager limit", [&] {
            const double delay = 20e-6 + 3 * latency_ + 2 * wire(size);
            return added([&](Series& series) { exchange_.receptions(size, delay, 1, series); });
        });
        constexpr double part = 0.25;  // of the way, which has processors in it too
        return late_one - taken_up > part * (alone - taken_up);
    }
    /// Whether a message of `eager` bytes, the most that needs no receive, comes before a longer
    /// one that was sent right before it: it goes while that one still asks for its receive.
    bool overtaken(std::uint64_t eager) {
        const std::uint64_t size = std::min(2 * eager, options_.largest);
        if (eager == 0 || size <= eager) return false;
        const double alone = known("order of messages", [&] {
            rest(size);
            return exchange_.flood(size, 1);
        });
        const double followed = known("order of messages", [&] {
            rest(size);
            return added([&](Series& series) { exchange_.first_of_two(size, eager, 1, series); });
        });
        return followed - alone > 0.5 * wire(eager);
    }
    /// Where a send begins to wait for its receive, up to `largest` bytes.
    std::optional<std::uint64_t> buffered_limit(std::uint64_t largest) {
        const auto ends_late = [&](std::uint64_t size) {
            const double delay = 200e-6 + 4 * latency_ + 2 * wire(size);
            const double took = known("buffered sends", [&] {
                rest(size);
                return early_send(pair_, exchange_.buffers(), size, delay);
            });
            return took > 0.7 * delay;
        };
        if (!ends_late(largest)) return std::nullopt;
        std::uint64_t within = 0;
        for (std::uint64_t beyond = largest; beyond - within > 1;) {
            const std::uint64_t middle = within + (beyond - within) / 2;
            (ends_late(middle) ? beyond : within) = middle;
        }
        return within;
    }
    /// The median of what `add` adds to a series.
    template <class Add>
    static double added(Add&& add) {
        Series series;
        add(series);
        series.close();
        return series.median();
    }
    /// The median of a few samples, on both ranks.
    template <class Sample>
    double known(const char* what, Sample&& sample) {
        if (report_) report_(done_, what);
        std::vector<double> samples(simulated_time ? 1 : 5);
        for (double& one : samples) one = sample();
        return pair_.from_first(median(samples));
    }
    /// What half a round trip takes longer one byte behind `size`.
    double behind(std::uint64_t size) {
        const auto series =
            taken("protocol switches", 2, [&](std::size_t i) { return trip(size + i); });
        return series[1].median() - series[0].median();
    }
    /// Rank 0's estimate on both, for both have to go the same way.
    Estimate both(Estimate estimate) {
        estimate.median = pair_.from_first(estimate.median);
        estimate.error = pair_.from_first(estimate.error);
        return estimate;
    }

    /// Floods of the same many bytes, with more and more of them outstanding.
    void find_outstanding() {
        constexpr std::uint64_t size = 65536;
        std::uint64_t total = options_.most;
        while (total > 8 * size && wire(total) > options_.longest_flood) total /= 2;
        std::vector<std::uint64_t> volumes;
        for (std::uint64_t volume = size; volume <= total; volume *= 2) volumes.push_back(volume);
        const auto times = medians(taken("outstanding volume", volumes.size(), [&](std::size_t i) {
            return windowed_flood(pair_, exchange_.buffers(), size, total / size,
                                  static_cast<int>(volumes[i] / size));
        }));
        std::vector<double> bandwidths;
        bandwidths.reserve(times.size());
        for (const double time : times)
            bandwidths.push_back(static_cast<double>(total) / std::max(time, 1e-9));
        protocol_.outstanding = detect_outstanding_limit(volumes, bandwidths);
        if (!protocol_.outstanding)
            protocol_.outstanding_reason =
                "bandwidth does not drop up to " + std::to_string(total) + " bytes outstanding";
    }

    void find_completion_depth() {
        std::uint64_t size = options_.message;
        const auto deepest = static_cast<std::uint64_t>(options_.deepest);
        while (size > 256 && wire(size * deepest) > options_.longest_flood) size /= 2;
        std::vector<int> bursts;
        for (int burst = 1; burst <= options_.deepest; burst *= 2) {
            bursts.push_back(burst);
            if (burst > 1 && burst + burst / 2 <= options_.deepest)
                bursts.push_back(burst + burst / 2);
        }
        const auto times = medians(taken("completion depth", bursts.size(), [&](std::size_t i) {
            rest(size * static_cast<std::uint64_t>(bursts[i]));
            return completion(pair_, exchange_.buffers(), size, bursts[i]);
        }));
        protocol_.completion_depth = detect_completion_depth(bursts, times);
        if (!protocol_.completion_depth)
            protocol_.completion_depth_reason = "completing messages of " + std::to_string(size) +
                                                " bytes does not slow down up to " +
                                                std::to_string(bursts.back()) + " outstanding";
    }
    /// Samples of `count` quantities, taken in turn in a fifth of the time.
    template <class Sample>
    std::vector<Series> taken(const char* what, std::size_t count, Sample&& sample) {
        constexpr double part = 0.2;
        SamplingGoal goal = goal_;
        goal.budget = part * seconds_;
        const double before = done_;
        done_ = std::min(1 - part, done_ + part);
        return sample_interleaved(
            pair_, std::vector<Series>(count), goal, noise_,
            [&](double share) {
                if (report_) report_(before + part * share, what);
            },
            sample);
    }

    TransportPair<T>& pair_;
    const ProtocolOptions& options_;
    SamplingGoal goal_;
    double seconds_;
    NoiseCounts& noise_;
    StatusCallback report_;
    double done_ = 0;  ///< share of the time
    PairBenchmarks<T> exchange_;
    double latency_ = 0;
    double per_byte_ = 0;
    Protocol protocol_;
    std::vector<std::uint64_t> rates_;
    std::vector<std::uint64_t> clear_;
};

}  // namespace lapwing

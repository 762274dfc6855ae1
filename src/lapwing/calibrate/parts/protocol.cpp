#include "lapwing/calibrate/parts/protocol.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lapwing/calibrate/benchmarks/pair_benchmarks.hpp"
#include "lapwing/calibrate/benchmarks/protocol_probes.hpp"
#include "lapwing/calibrate/parts/switch_bandwidth.hpp"
#include "lapwing/calibrate/sampling/sample_interleaved.hpp"
#include "lapwing/calibrate/sampling/sample_until_known.hpp"
#include "lapwing/calibrate/statistics/detect.hpp"
#include "lapwing/calibrate/statistics/switch_points.hpp"
#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/clock.hpp"

namespace lapwing {
namespace {

using SampleSize = std::function<double(std::uint64_t)>;

/// Whether two sizes are one switch that was seen twice, up to noise, of which simulated time has
/// none.
bool same_switch(std::uint64_t one, std::uint64_t other) {
    return std::max(one, other) - std::min(one, other) <= (simulated_time ? 1 : 64 + other / 64);
}

class ProtocolMeasurement {
  public:
    ProtocolMeasurement(Context& context, const ProtocolOptions& options)
        : pair_(context.pair),
          sampling_(context.sampling),
          options_(options),
          benchmarks_(context.pair, std::max(options.most, options.largest)) {}

    Protocol run();
    /// Sizes at which the time of a message in a flood jumps, whether or not a message by itself
    /// takes longer. Known after `run`, on both ranks.
    [[nodiscard]] const std::vector<std::uint64_t>& rate_switches() const { return rates_; }
    /// These, and the sizes at which a message by itself clearly takes longer. Known after `run`,
    /// on both ranks.
    [[nodiscard]] const std::vector<std::uint64_t>& clear_switches() const { return clear_; }

  private:
    void look();
    void find_switches();
    void find_outstanding();
    void find_completion_depth();

    [[nodiscard]] std::vector<std::uint64_t> sizes_to_search() const;
    std::vector<SwitchPoint> find(const char* what, const std::vector<std::uint64_t>& sizes,
                                  const SampleSize& sample);
    void add_switches(const std::vector<SwitchPoint>& late, const std::vector<SwitchPoint>& jumps,
                      const std::vector<SwitchPoint>& rates);
    void add_switch(std::uint64_t size, std::optional<double> jump);
    std::optional<std::uint64_t> eager_limit(const std::vector<SwitchPoint>& changes);
    std::optional<std::uint64_t> buffered_limit(std::uint64_t largest);
    bool is_overtaken(std::uint64_t eager);
    bool waits_for_receive(std::uint64_t size);

    double trip(std::uint64_t size);
    double late(std::uint64_t size);
    double gap(std::uint64_t size);
    double jump_behind(std::uint64_t size);
    double known(const char* what, const std::function<double()>& sample);
    std::vector<Series> interleaved(const char* what, std::size_t count,
                                    const std::function<double(std::size_t)>& sample);
    Estimate on_both(Estimate estimate);
    void rest(std::uint64_t bytes);
    [[nodiscard]] double wire(std::uint64_t bytes) const {
        return per_byte_ * static_cast<double>(bytes);
    }

    TwoSidedPair& pair_;
    const Sampling& sampling_;
    const ProtocolOptions& options_;
    PairBenchmarks benchmarks_;
    double done_ = 0;      ///< share of the time
    double latency_ = 0;   ///< seconds of a short message, about
    double per_byte_ = 0;  ///< seconds, about
    Protocol protocol_;
    std::vector<std::uint64_t> rates_;
    std::vector<std::uint64_t> clear_;
};

Protocol ProtocolMeasurement::run() {
    look();
    find_switches();
    find_outstanding();
    find_completion_depth();
    return std::move(protocol_);
}

/// Learns roughly how fast the wire is, which bounds the time of the later steps.
void ProtocolMeasurement::look() {
    constexpr std::uint64_t size = 65536;
    std::vector<double> one;
    std::vector<double> many;
    for (int i = 0; i < (simulated_time ? 1 : 9); ++i) {
        one.push_back(benchmarks_.half_round_trip(options_.smallest));
        many.push_back(benchmarks_.half_round_trip(size));
    }
    latency_ = pair_.from_first(*std::min_element(one.begin(), one.end()));
    const double way = pair_.from_first(*std::min_element(many.begin(), many.end()));
    per_byte_ = std::max(way - latency_, 1e-3 * way) / static_cast<double>(size);
}

/// Waits until a link that sends its first bytes after a pause for nothing can do so again.
void ProtocolMeasurement::rest(std::uint64_t bytes) {
    constexpr double longest = 300e-6;
    if (!simulated_time) wait_until(pair_.now() + std::min(longest, wire(bytes)));
}

/// Half a round trip of a message, seconds.
double ProtocolMeasurement::trip(std::uint64_t size) {
    rest(size);
    return benchmarks_.half_round_trip(size);
}

/// A receive that is posted when its message should have arrived, seconds.
double ProtocolMeasurement::late(std::uint64_t size) {
    rest(size);
    return late_receive(pair_, benchmarks_.buffers(), size, 20e-6 + 3 * latency_ + 2 * wire(size));
}

/// A message in a flood, seconds.
double ProtocolMeasurement::gap(std::uint64_t size) {
    constexpr double longest_flood = 3e-3;
    const std::uint64_t count = flood_count(wire(size), longest_flood);
    rest(size);
    const double all = benchmarks_.flood(size, count);
    return (all - benchmarks_.flood(size, 1)) / static_cast<double>(count - 1);
}

/// Three ways to see a switch: what half a round trip takes longer, where a message begins to wait
/// for its receive, and what a message takes longer in a flood. The second is the plainest, and the
/// only one if a sender that need not wait loses no time; the third sees what a longer latency
/// hides.
void ProtocolMeasurement::find_switches() {
    const auto sizes = sizes_to_search();
    const auto late_changes =
        find("eager limit", sizes, [this](std::uint64_t size) { return late(size); });
    protocol_.eager = eager_limit(late_changes);
    protocol_.eager_overtakes = is_overtaken(protocol_.eager.value_or(0));
    protocol_.buffered = buffered_limit(sizes.back());
    const auto jumps =
        find("protocol switches", sizes, [this](std::uint64_t size) { return trip(size); });
    const auto rates = find("bandwidth", sizes, [this](std::uint64_t size) { return gap(size); });
    add_switches(late_changes, jumps, rates);
    if (protocol_.switches.empty())
        protocol_.switches_reason = "nothing changes between " + std::to_string(sizes.front()) +
                                    " and " + std::to_string(sizes.back()) + " bytes";
}

/// Powers of two, and one size between any two of them.
std::vector<std::uint64_t> ProtocolMeasurement::sizes_to_search() const {
    std::vector<std::uint64_t> sizes;
    for (std::uint64_t size = options_.smallest; size <= options_.largest; size *= 2) {
        if (wire(size) > options_.longest) break;
        sizes.push_back(size);
        if (size + size / 2 <= options_.largest) sizes.push_back(size + size / 2);
    }
    return sizes;
}

/// The sizes at which the time that `sample` measures jumps, the same on both ranks.
std::vector<SwitchPoint> ProtocolMeasurement::find(const char* what,
                                                   const std::vector<std::uint64_t>& sizes,
                                                   const SampleSize& sample) {
    const auto series =
        interleaved(what, sizes.size(), [&](std::size_t i) { return sample(sizes[i]); });
    std::map<std::uint64_t, Estimate> known;
    for (std::size_t i = 0; i < sizes.size(); ++i) known[sizes[i]] = on_both(series[i].estimate());
    return switch_points(known, [&](std::uint64_t size) {
        constexpr double part = 0.01;  // of the time
        SamplingGoal goal = sampling_.goal;
        goal.budget *= part;
        return on_both(
            sample_until_known(pair_, goal, sampling_.noise, [&] { return sample(size); }));
    });
}

/// Joins what was seen in the three ways, in the order of the sizes.
void ProtocolMeasurement::add_switches(const std::vector<SwitchPoint>& late_changes,
                                       const std::vector<SwitchPoint>& jumps,
                                       const std::vector<SwitchPoint>& rates) {
    std::map<std::uint64_t, std::optional<double>> all;  // seconds of the jump, where known
    for (const auto& point : late_changes) all[point.size] = std::nullopt;
    for (const auto& point : jumps)
        if (std::none_of(late_changes.begin(), late_changes.end(),
                         [&](const auto& other) { return same_switch(point.size, other.size); }))
            all[point.size] = point.jump;
    for (const auto& point : rates) {
        const auto seen = std::find_if(all.begin(), all.end(), [&](const auto& other) {
            return same_switch(point.size, other.first);
        });
        rates_.push_back(seen == all.end() ? point.size : seen->first);
    }
    for (const std::uint64_t size : rates_) all.try_emplace(size, std::nullopt);
    for (const auto& [size, jump] : all) add_switch(size, jump);
}

void ProtocolMeasurement::add_switch(std::uint64_t size, std::optional<double> jump) {
    constexpr double clearly = 0.05;  // share of a message
    protocol_.switches.push_back(size);
    protocol_.switch_costs.push_back(jump ? *jump : jump_behind(size));
    const bool rate = std::count(rates_.begin(), rates_.end(), size) > 0;
    const bool clear = std::abs(protocol_.switch_costs.back()) > clearly * (latency_ + wire(size));
    // Rank 1 has another jump.
    if (pair_.from_first(rate || (clear && !simulated_time) ? 1 : 0) != 0) clear_.push_back(size);
}

/// Where a message begins to wait for its receive, of the sizes at which a late receive changes:
/// other things change it too, and a small change may be noise.
std::optional<std::uint64_t> ProtocolMeasurement::eager_limit(
    const std::vector<SwitchPoint>& changes) {
    if (waits_for_receive(options_.smallest)) return 0;
    for (const auto& point : changes)
        if (point.jump > 0 && waits_for_receive(point.size + 1)) return point.size;
    return std::nullopt;
}

/// The median of what `add` adds to a series.
template <class Add>
double median_added(Add&& add) {
    Series series;
    add(series);
    series.close();
    return series.median();
}

/// Whether a message of `size` bytes starts only when its receive is posted: a late receive then
/// takes all of its way, and otherwise next to nothing.
bool ProtocolMeasurement::waits_for_receive(std::uint64_t size) {
    const double late_one = known("eager limit", [&] { return late(size); });
    const double alone = known("eager limit", [&] { return trip(size); });
    const double reception = known("eager limit", [&] {
        const double delay = 20e-6 + 3 * latency_ + 2 * wire(size);
        return median_added(
            [&](Series& series) { benchmarks_.receptions(size, delay, 1, series); });
    });
    constexpr double part = 0.25;  // of the way, which has processor time in it too
    return late_one - reception > part * (alone - reception);
}

/// Whether a message of `eager` bytes, the longest that needs no receive, arrives before a longer
/// one that was sent right before it: it starts while the longer one still asks for its receive.
bool ProtocolMeasurement::is_overtaken(std::uint64_t eager) {
    const std::uint64_t size = std::min(2 * eager, options_.largest);
    if (eager == 0 || size <= eager) return false;
    const double alone = known("order of messages", [&] {
        rest(size);
        return benchmarks_.flood(size, 1);
    });
    const double followed = known("order of messages", [&] {
        rest(size);
        return median_added(
            [&](Series& series) { benchmarks_.first_of_two(size, eager, 1, series); });
    });
    return followed - alone > 0.5 * wire(eager);
}

/// Where a send begins to wait for its receive, up to `largest` bytes.
std::optional<std::uint64_t> ProtocolMeasurement::buffered_limit(std::uint64_t largest) {
    const auto ends_late = [&](std::uint64_t size) {
        const double delay = 200e-6 + 4 * latency_ + 2 * wire(size);
        const double took = known("buffered sends", [&] {
            rest(size);
            return early_send(pair_, benchmarks_.buffers(), size, delay);
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

/// The median of a few samples, on both ranks.
double ProtocolMeasurement::known(const char* what, const std::function<double()>& sample) {
    sampling_.report(done_, what);
    std::vector<double> samples(simulated_time ? 1 : 5);
    for (double& one : samples) one = sample();
    return pair_.from_first(median(samples));
}

/// Seconds by which half a round trip of `size` bytes and one more takes longer.
double ProtocolMeasurement::jump_behind(std::uint64_t size) {
    const auto series =
        interleaved("protocol switches", 2, [&](std::size_t i) { return trip(size + i); });
    return series[1].median() - series[0].median();
}

/// Rank 0's estimate on both ranks, which have to take the same decisions.
Estimate ProtocolMeasurement::on_both(Estimate estimate) {
    estimate.median = pair_.from_first(estimate.median);
    estimate.error = pair_.from_first(estimate.error);
    return estimate;
}

/// Floods of the same number of bytes, with more and more of them outstanding.
void ProtocolMeasurement::find_outstanding() {
    constexpr std::uint64_t size = 65536;
    std::uint64_t total = options_.most;
    while (total > 8 * size && wire(total) > options_.longest_flood) total /= 2;
    std::vector<std::uint64_t> volumes;
    for (std::uint64_t volume = size; volume <= total; volume *= 2) volumes.push_back(volume);
    const auto times =
        medians(interleaved("outstanding volume", volumes.size(), [&](std::size_t i) {
            return windowed_flood(pair_, benchmarks_.buffers(), size, total / size,
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

void ProtocolMeasurement::find_completion_depth() {
    std::uint64_t size = options_.message;
    const auto deepest = static_cast<std::uint64_t>(options_.deepest);
    while (size > 256 && wire(size * deepest) > options_.longest_flood) size /= 2;
    std::vector<int> bursts;
    for (int burst = 1; burst <= options_.deepest; burst *= 2) {
        bursts.push_back(burst);
        if (burst > 1 && burst + burst / 2 <= options_.deepest) bursts.push_back(burst + burst / 2);
    }
    const auto times = medians(interleaved("completion depth", bursts.size(), [&](std::size_t i) {
        rest(size * static_cast<std::uint64_t>(bursts[i]));
        return burst_completion(pair_, benchmarks_.buffers(), size, bursts[i]);
    }));
    protocol_.completion_depth = detect_completion_depth(bursts, times);
    if (!protocol_.completion_depth)
        protocol_.completion_depth_reason = "completing messages of " + std::to_string(size) +
                                            " bytes does not slow down up to " +
                                            std::to_string(bursts.back()) + " outstanding";
}

/// Samples of `count` quantities, taken in turn in a fifth of the time.
std::vector<Series> ProtocolMeasurement::interleaved(
    const char* what, std::size_t count, const std::function<double(std::size_t)>& sample) {
    constexpr double part = 0.2;
    const double before = done_;
    done_ = std::min(1 - part, done_ + part);
    return sample_interleaved(sampling_.part(before, before + part), what,
                              std::vector<Series>(count), sample);
}

}  // namespace

ProtocolOptions ProtocolOptions::quick() {
    ProtocolOptions options;
    options.largest = 262144;
    options.most = 4 << 20;
    options.longest = 10e-3;
    options.longest_flood = 35e-3;
    return options;
}

void measure_protocol(Context& context, const ProtocolOptions& options, Profile& profile) {
    ProtocolMeasurement measurement(context, options);
    profile.protocol = measurement.run();
    context.switches = measurement.clear_switches();
    // An eighth of the time comes on top.
    Context rest{context.pair, context.ranks, context.sampling.part(0.875, 1), context.longest};
    measure_at_switches(rest, measurement.rate_switches(), profile);
}

}  // namespace lapwing

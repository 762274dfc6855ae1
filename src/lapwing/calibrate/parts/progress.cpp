#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <utility>

#include "lapwing/calibrate/benchmarks/overlap_kernels.hpp"
#include "lapwing/calibrate/benchmarks/progress_steal.hpp"
#include "lapwing/calibrate/parts/message_measurement.hpp"
#include "lapwing/compute/charge.hpp"
#include "lapwing/model/progress_overhead.hpp"
#include "lapwing/simulate/recurrence/stream_recurrence.hpp"

namespace lapwing {
namespace {

constexpr int widening = 4;  // of windows, where more messages in flight are tried

/// Who sends and who computes.
enum class LoadKind {
    stream,     ///< rank 0 receives and computes as long as the wire takes
    receiving,  ///< the same, and what it costs rank 0 counts, not what is hidden
    exchange,   ///< both ranks send, receive and compute
    around,  ///< the same, with all messages initiated before the computation and awaited after it
};

bool is_two_way(LoadKind kind) { return kind == LoadKind::exchange || kind == LoadKind::around; }

/// Messages, and the computation after each of them.
struct ProgressLoad {
    LoadKind kind = LoadKind::stream;
    OverlapLoad messages;
    double wire_time = 0;  ///< seconds a message
    model::Stream costs;
    Computation computation;
};

/// In simulated time polling is free. Between short messages there is no time to poll.
bool can_poll(const ProgressLoad& load) {
    return !simulated_time && load.wire_time > Computation::block_seconds;
}

/// Loads of one kind and all sizes, and the samples of each.
struct LoadSeries {
    LoadKind kind = LoadKind::stream;
    double compute_ratio = 1;  ///< computation, of the wire's time
    std::deque<ProgressLoad> loads;
    std::deque<ProgressLoad> wider;  ///< of exchanges: the same with more messages in flight
    std::deque<Series> unpolled;
    std::deque<Series> polled;
    std::deque<Series> wide;  ///< of `wider`

    /// What the samples of a series come to. Disturbances expose more, never less, and last longer
    /// than a sample of an exchange.
    [[nodiscard]] double value(const Series& series) const {
        return kind == LoadKind::stream ? series.median() : series.lower_quartile();
    }
};

/// What `LoadSeries` found, by size: shares of a stream that are hidden, or seconds that are
/// exposed.
struct ProgressTable {
    std::vector<std::uint64_t> sizes;
    std::vector<double> unpolled;
    std::vector<double> polled;
    std::vector<int> window;
};

class ProgressMeasurement {
  public:
    explicit ProgressMeasurement(MessageMeasurement& m) : m_(m) {}

    /// Shares of streams that advance while rank 0 computes.
    void measure_hidden_shares();
    /// Seconds that messages expose, of ranks that compute.
    void measure_exposure();

  private:
    [[nodiscard]] double gap(std::uint64_t size, LoadKind kind) const;
    [[nodiscard]] ProgressLoad make_load(std::size_t i, LoadKind kind, double compute_ratio) const;
    [[nodiscard]] LoadSeries make_loads(LoadKind kind, double compute_ratio,
                                        std::size_t first) const;
    void choose_window(ProgressLoad& load);
    void add_to(Campaign& campaign, LoadSeries& series);
    [[nodiscard]] static ProgressTable table_of(const LoadSeries& series);
    [[nodiscard]] static ExposedTime exposed_time(const LoadSeries& series);

    [[nodiscard]] OverlapTimes run(const ProgressLoad& load, Computation& computation, bool polled);
    [[nodiscard]] double hidden_share(ProgressLoad& load, bool polled);
    [[nodiscard]] double exposed_seconds(ProgressLoad& load, bool polled);
    [[nodiscard]] double sample(ProgressLoad& load, bool polled) {
        return load.kind == LoadKind::stream ? hidden_share(load, polled)
                                             : exposed_seconds(load, polled);
    }

    MessageMeasurement& m_;
};

OverlapTimes ProgressMeasurement::run(const ProgressLoad& load, Computation& computation,
                                      bool polled) {
    OverlapLoad messages = load.messages;
    messages.polled = polled;
    Buffers& buffers = m_.benchmarks.buffers();
    if (load.kind == LoadKind::around)
        return exchange_around_computation(m_.pair, buffers, messages, computation);
    if (load.kind == LoadKind::exchange)
        return exchange_while_computing(m_.pair, buffers, messages, computation);
    return stream_while_computing(m_.pair, buffers, messages, computation);
}

/// Seconds of a stream whose messages progress by themselves, by the recurrence.
double ideal_seconds(const ProgressLoad& load, const model::Stream& costs) {
    simulate::StreamRecurrence stream(costs);
    stream.messages(static_cast<double>(load.messages.size),
                    static_cast<double>(load.messages.count));
    return stream.consumed();
}

/// The share of a stream's transfer that the computation hid: against messages that progress by
/// themselves and take from the computation only what the system steals. The wire is as fast as
/// when nothing is computed.
double ProgressMeasurement::hidden_share(ProgressLoad& load, bool polled) {
    const auto bytes = static_cast<double>(load.messages.size);
    const auto n = static_cast<double>(load.messages.count);
    model::Stream costs = load.costs;
    double each = load.wire_time;
    if (!simulated_time) {
        Computation nothing;
        const double alone = run(load, nothing, true).total;
        each = std::max(each, alone / n);
        const double fixed =
            ideal_seconds(load, {.L = costs.L, .o_s = costs.o_s, .o_r = costs.o_r});
        costs.G = std::max(0.5 * costs.G, (alone - fixed) / (n * bytes));
    }
    const OverlapTimes took = run(load, load.computation, polled);
    const double O = m_.profile.progress.O_r;
    costs.t =
        (took.computation + model::progress_overhead(took.computation, n * bytes, costs.G, O)) /
        (n * bytes);
    const double exposed = (took.total - ideal_seconds(load, costs)) / (n - 1);
    return std::clamp(1 - exposed / each, 0.0, 1.0);
}

/// Seconds that a message cost beyond its computation. If the first message is awaited before
/// anything is computed, nothing can hide its way, which does not count.
double ProgressMeasurement::exposed_seconds(ProgressLoad& load, bool polled) {
    const OverlapTimes took = run(load, load.computation, polled);
    const auto n = static_cast<double>(load.messages.count);
    const double first = load.kind == LoadKind::around ? 0 : load.costs.L + load.wire_time;
    const double exposed = (took.total - took.computation - first) / n;
    if (load.kind != LoadKind::receiving) return std::max(0.0, exposed);
    // A rank that computes longer than the wire takes waits only for messages without progress. Its
    // calls are known better than the difference of two computations.
    constexpr double unresolved = 0.05;  // of the wire's time
    return std::max(took.calls / n, exposed - unresolved * load.wire_time);
}

/// Seconds per byte of the wire for messages of `size` bytes. The same on both ranks.
double ProgressMeasurement::gap(std::uint64_t size, LoadKind kind) const {
    const Profile& profile = m_.profile;
    if (is_two_way(kind))
        return m_.pair.from_first(std::max(profile.loggp.G, two_way_gap(profile)));
    // A network need not be a straight line. On a real one the stream itself tells its gap, run
    // without a computation; in simulated time the table does.
    return simulated_time ? m_.pair.from_first(gap_per_byte(profile, static_cast<double>(size)))
                          : profile.loggp.G;
}

/// Messages of size number `i`, and `compute_ratio` times as much computation as the wire takes, or
/// whatever else limits a flood of them.
ProgressLoad ProgressMeasurement::make_load(std::size_t i, LoadKind kind,
                                            double compute_ratio) const {
    const Profile& profile = m_.profile;
    const bool two_way = is_two_way(kind);
    const std::uint64_t size = m_.sizes[i];
    const double G = gap(size, kind);
    const double wire_time = G * static_cast<double>(size);
    const double pace = shares_wire(profile, size) && !two_way ? G : 0;
    model::Stream costs;
    costs.L = profile.loggp.L;
    costs.G = G;
    costs.o_s.base = m_.pair.first() ? profile.overhead.send[i].back() : 0;
    costs.o_r = m_.receive_line;
    if (simulated_time && m_.pair.first())
        costs.L = std::max(0.0, m_.trips[i].median - costs.o_s(0) - wire_time -
                                    costs.o_r(static_cast<double>(size)));
    // Some transports need more than two messages in flight to keep going; on others all that are
    // in flight share the wire, so that each comes late. And the window has to cover the round
    // trip.
    const double way = 2 * profile.loggp.L + profile.loggp.o_s + profile.loggp.o_r;
    int window = static_cast<int>(std::clamp(2 + way / wire_time, 2.0, 64.0));
    if (pace > 0) window = 64;  // the sender's pace alone says when a message goes
    std::uint64_t count = two_way ? std::max<std::uint64_t>(8, m_.flood_of(size))
                                  : std::max<std::uint64_t>(4, m_.flood_of(size) / 2);
    // As long for every size: a link that was idle sends its first bytes for nothing, which would
    // flatter short messages.
    if (kind == LoadKind::exchange)
        count = std::max<std::uint64_t>(8, flood_count(wire_time, m_.context.longest, 1024));
    if (kind == LoadKind::around) window = static_cast<int>(count);
    double flood_time = wire_time;
    if (kind == LoadKind::receiving) {
        const auto bytes = static_cast<double>(size);
        flood_time = std::max(flood_time, m_.pair.from_first(gap_per_byte(profile, bytes) * bytes));
        window = std::max(window, min_preposted_receives);
    }
    return {kind,
            {.size = size, .count = count, .window = window, .pace = pace},
            wire_time,
            costs,
            Computation(std::max(compute_ratio * flood_time, 5e-6), m_.pass)};
}

/// Loads of all sizes from number `first` on.
LoadSeries ProgressMeasurement::make_loads(LoadKind kind, double compute_ratio,
                                           std::size_t first) const {
    LoadSeries series;
    series.kind = kind;
    series.compute_ratio = compute_ratio;
    for (std::size_t i = first; i < m_.sizes.size(); ++i) {
        series.loads.push_back(make_load(i, kind, compute_ratio));
        if (kind != LoadKind::exchange) continue;
        series.wider.push_back(make_load(i, kind, compute_ratio));
        series.wider.back().messages.window *= widening;
    }
    series.unpolled.resize(series.loads.size());
    series.polled.resize(series.loads.size());
    series.wide.resize(series.wider.size());
    return series;
}

/// Has `campaign` measure all loads of `series`.
void ProgressMeasurement::add_to(Campaign& campaign, LoadSeries& series) {
    const bool stream = series.kind == LoadKind::stream;
    const std::string how = stream                               ? ""
                            : series.kind == LoadKind::receiving ? ", beyond computation"
                            : series.kind == LoadKind::exchange  ? ", both ways"
                                                                 : ", both ways at once";
    const auto add = [&](const std::string& what, ProgressLoad& load, bool polled,
                         Series& samples) {
        // What messages expose is little beside what they take: several samples a visit.
        constexpr double visits = 4;
        const double once = 2 * static_cast<double>(load.messages.count) * load.wire_time;
        const int times = stream ? 1 : m_.times_a_visit(once / visits);
        campaign.add(what + how, {&samples}, [this, &load, polled, times, &samples] {
            for (int i = 0; i < times; ++i) samples.add(sample(load, polled));
        });
    };
    for (std::size_t i = 0; i < series.loads.size(); ++i) {
        ProgressLoad& load = series.loads[i];
        add("progress while computing", load, false, series.unpolled[i]);
        if (!series.wider.empty())
            add("more messages in flight", series.wider[i], false, series.wide[i]);
        if (can_poll(load)) add("progress with polling", load, true, series.polled[i]);
    }
}

ProgressTable ProgressMeasurement::table_of(const LoadSeries& series) {
    ProgressTable table;
    for (std::size_t i = 0; i < series.loads.size(); ++i) {
        const ProgressLoad& load = series.loads[i];
        double unpolled = series.value(series.unpolled[i]);
        double polled = can_poll(load) ? series.value(series.polled[i]) : unpolled;
        int window = load.messages.window;
        // More messages in flight both ways also stand in queues: a wider window has to be worth
        // it.
        constexpr double worthwhile = 0.25;  // of the wire's time
        if (!series.wider.empty() && series.value(series.wide[i]) <
                                         std::min(unpolled, polled) - worthwhile * load.wire_time) {
            unpolled = polled = series.value(series.wide[i]);
            window = series.wider[i].messages.window;
        }
        table.sizes.push_back(load.messages.size);
        table.window.push_back(window);
        table.unpolled.push_back(unpolled);
        table.polled.push_back(polled);
    }
    return table;
}

ExposedTime ProgressMeasurement::exposed_time(const LoadSeries& series) {
    ProgressTable table = table_of(series);
    return {.traffic = is_two_way(series.kind) ? Traffic::both : Traffic::receive,
            .computation = series.compute_ratio,
            .independent = series.kind == LoadKind::around,
            .sizes = std::move(table.sizes),
            .exposed = std::move(table.unpolled),
            .exposed_polled = std::move(table.polled),
            .window = std::move(table.window)};
}

/// Takes a wider window for a stream that clearly hides more with it.
void ProgressMeasurement::choose_window(ProgressLoad& load) {
    if (simulated_time) return;
    Series narrow;
    Series wide;
    const int window = load.messages.window;
    for (int i = 0; i < 5; ++i) {
        load.messages.window = window;
        narrow.add(sample(load, false));
        load.messages.window = widening * window;
        wide.add(sample(load, false));
    }
    narrow.close();
    wide.close();
    const bool wider = wide.median() > narrow.median() + 0.05;
    load.messages.window = m_.pair.from_first(wider ? 1 : 0) != 0 ? widening * window : window;
}

void ProgressMeasurement::measure_hidden_shares() {
    LoadSeries streams = make_loads(LoadKind::stream, 1, 0);
    for (std::size_t i = 0; i < streams.loads.size(); ++i) {
        m_.context.sampling.report(
            0.72 + 0.014 * static_cast<double>(i) / static_cast<double>(m_.sizes.size()),
            "messages in flight");
        choose_window(streams.loads[i]);
    }
    auto campaign = m_.campaign(0.734, 0.79);
    add_to(campaign, streams);
    campaign.run();
    ProgressTable table = table_of(streams);
    auto& progress = m_.profile.progress;
    progress.sizes = std::move(table.sizes);
    progress.without_polling = std::move(table.unpolled);
    progress.with_polling = std::move(table.polled);
    progress.window = std::move(table.window);
}

void ProgressMeasurement::measure_exposure() {
    // A message that is all overhead has nothing to hide.
    constexpr std::uint64_t shortest = 1024;
    std::size_t first = 0;
    while (first + 1 < m_.sizes.size() && m_.sizes[first] < shortest) ++first;
    // All in one campaign: a slow spell may last as long as one kind of load would.
    std::array all{make_loads(LoadKind::exchange, 1, first),
                   make_loads(LoadKind::exchange, 0.5, first),
                   make_loads(LoadKind::around, 1, first), make_loads(LoadKind::receiving, 1.5, 0)};
    auto campaign = m_.campaign(0.79, 0.98);
    for (LoadSeries& each : all) add_to(campaign, each);
    campaign.run();
    for (const LoadSeries& each : all)
        m_.profile.progress.exposed_time.push_back(exposed_time(each));
}

}  // namespace

void measure_progress(MessageMeasurement& m) {
    m.profile.progress.poll_interval = Computation::block_seconds;
    ProgressMeasurement measurement(m);
    measurement.measure_hidden_shares();
    // Simulated messages progress whoever computes.
    if (!simulated_time) measurement.measure_exposure();
}

void measure_progress_steal(MessageMeasurement& m) {
    // Simulated messages steal nothing.
    if (simulated_time) return;
    constexpr std::uint64_t longest = 262144;  // bytes
    std::size_t at = m.sizes.size() - 1;
    while (at > 0 && m.sizes[at] > longest) --at;
    const std::uint64_t size = m.sizes[at];
    const double wire_time = m.profile.loggp.G * static_cast<double>(size);
    // More computation than communication: a message that is under way while a rank waits steals
    // nothing from it.
    Computation computation(1.5 * std::max(wire_time, 5e-6), m.pass);
    const OverlapLoad load{.size = size, .count = m.flood_of(size), .window = 2, .polled = true};
    Series sending;
    Series receiving;
    Series both;
    auto campaign = m.campaign(0.68, 0.72);
    const auto add = [&](TrafficDirection direction, Series& series) {
        campaign.add("what messages take of a computation", {&series}, [&, direction] {
            series.add(progress_steal_per_byte(m.pair, m.benchmarks.buffers(), direction, load,
                                               computation));
        });
    };
    add(TrafficDirection::sending, sending);
    add(TrafficDirection::receiving, receiving);
    add(TrafficDirection::both, both);
    campaign.run();
    // What cannot be told from the noise of the computation is 0.
    const auto clear = [&](const Series& series) {
        constexpr double share = 0.05;  // of G
        const double seconds = series.median();
        return seconds > share * m.profile.loggp.G ? seconds : 0;
    };
    auto& progress = m.profile.progress;
    progress.O_s = clear(sending);
    progress.O_r = clear(receiving);
    progress.O_both = clear(both);
}

}  // namespace lapwing

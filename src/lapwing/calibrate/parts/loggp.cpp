#include "lapwing/calibrate/parts/loggp.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <string>

#include "lapwing/calibrate/parts/message_measurement.hpp"
#include "lapwing/compute/charge.hpp"

namespace lapwing {
namespace {

/// The samples of all that messages cost, by size.
struct CostSeries {
    explicit CostSeries(const MessageMeasurement& m)
        // Without a wire a message's whole way is the work of some processor.
        : trips(m.sizes.size(), m.pair.one_node() ? Series(clock(m)) : Series()),
          receive(m.sizes.size(), Series(clock(m))),
          one_way(m.sizes.size()),
          both_ways(m.sizes.size()),
          send(m.sizes.size()) {}

    static const ClockSpeed& clock(const MessageMeasurement& m) {
        return m.context.sampling.environment.clock();
    }

    std::vector<Series> trips;
    std::vector<Series> receive;
    std::vector<Series> one_way;
    std::vector<Series> both_ways;
    std::vector<std::deque<Series>> send;  ///< [size][burst], up to the longest that is affordable
};

/// Whether one sample may not be of so many bytes. Simulated ones take memory in place of time.
bool too_long(const MessageMeasurement& m, std::uint64_t bytes) {
    constexpr std::uint64_t memory = std::uint64_t{1} << 26;
    return simulated_time ? bytes > memory : m.wire(bytes) > m.context.longest;
}

/// Adds all that messages of size number `i` cost to a campaign.
void add_size(MessageMeasurement& m, std::size_t i, CostSeries& series, Campaign& campaign) {
    PairBenchmarks& benchmarks = m.benchmarks;
    const std::uint64_t size = m.sizes[i];
    const double trip = 2 * (m.rough_L + m.wire(size));
    campaign.add("round trip", {&series.trips[i]}, [&, size, i, trip] {
        benchmarks.half_round_trips(size, m.times_a_visit(trip), series.trips[i]);
    });
    for (const int burst : m.options.bursts) {
        const std::uint64_t bytes = size * static_cast<std::uint64_t>(burst);
        const double bytes_time = m.wire(bytes);
        // A burst that would keep the wire busy for too long is taken from the one before.
        if (burst != m.options.bursts.front() && too_long(m, bytes)) break;
        auto& sends = series.send[i].emplace_back(CostSeries::clock(m));
        const double time = bytes_time + burst * m.rough_L + 2 * m.rough_L;
        campaign.add("initiation overhead o(S, b)", {&sends}, [&, size, burst, time] {
            benchmarks.bursts(size, burst, m.times_a_visit(time), sends);
        });
    }
    const double delay = simulated_time ? 20e-6 + 3 * (m.rough_L + m.wire(size))
                                        : std::min(20e-6 + 2 * trip, 200e-6);
    campaign.add("receive overhead o_r(S)", {&series.receive[i]}, [&, size, i, trip, delay] {
        benchmarks.receptions(size, delay, m.times_a_visit(trip + delay), series.receive[i]);
    });
    const std::uint64_t count = m.flood_of(size);
    const double time = m.wire(size * (count + 1)) + m.rough_L * static_cast<double>(count);
    campaign.add("bandwidth", {&series.one_way[i]}, [&, size, count, time, i] {
        benchmarks.flood_gaps(size, count, false, m.times_a_visit(time), series.one_way[i]);
    });
    campaign.add("bandwidth both ways", {&series.both_ways[i]}, [&, size, count, time, i] {
        benchmarks.flood_gaps(size, count, true, m.times_a_visit(2 * time), series.both_ways[i]);
    });
}

/// Fills the profile's tables of overheads and bandwidth, and the half round trips.
void fill_tables(MessageMeasurement& m, const CostSeries& series) {
    auto& overhead = m.profile.overhead;
    auto& bandwidth = m.profile.bandwidth;
    overhead.sizes = bandwidth.sizes = m.sizes;
    overhead.bursts = m.options.bursts;
    for (std::size_t i = 0; i < m.sizes.size(); ++i) {
        auto& row = overhead.send.emplace_back();
        for (const auto& sends : series.send[i]) row.push_back(std::max(0.0, sends.median()));
        while (row.size() < m.options.bursts.size()) {
            m.profile.interpolated.push_back("overhead.send[" + std::to_string(i) + "][" +
                                             std::to_string(row.size()) + "]");
            row.push_back(row.back());
        }
        overhead.receive.push_back(series.receive[i].median());
        const auto bytes = static_cast<double>(m.sizes[i]);
        // A disturbed difference may come out as 0: no wire is a thousand times as fast as a round
        // trip says.
        const double floor = 1e-3 * m.wire(m.sizes[i]);
        bandwidth.unidirectional.push_back(bytes / std::max(series.one_way[i].median(), floor));
        bandwidth.bidirectional.push_back(2 * bytes /
                                          std::max(series.both_ways[i].median(), floor));
        m.trips.push_back(series.trips[i].estimate());
    }
}

/// Fills o_s, o_r, g and G, which are entries of the tables, with their errors.
void fill_parameters(MessageMeasurement& m, const CostSeries& series) {
    auto& p = m.profile.loggp;
    auto& error = m.profile.error;
    const auto send = series.send.front().front().estimate();
    const auto receive = series.receive.front().estimate();
    const auto gap = series.one_way.front().estimate();
    p.o_s = std::max(0.0, send.median);
    p.o_r = std::max(0.0, receive.median);
    p.g = std::max(0.0, gap.median);
    p.G = 1 / m.profile.bandwidth.unidirectional.back();
    error.o_s = send.error;
    error.o_r = receive.error;
    error.g = gap.error;
    error.G = series.one_way.back().estimate().error;
    // The overheads of short messages lie on a straight line; the table has the others'.
    constexpr double short_message = 8192;
    m.receive_line = fit_line(m.sizes, m.profile.overhead.receive, short_message);
}

/// Measures what messages of all sizes cost, in one campaign.
void measure_costs(MessageMeasurement& m) {
    CostSeries series(m);
    auto campaign = m.campaign(0.02, 0.64);
    for (std::size_t i = 0; i < m.sizes.size(); ++i) add_size(m, i, series, campaign);
    campaign.run();
    fill_tables(m, series);
    fill_parameters(m, series);
}

/// Corrects G if a processor is slower than the wire: then a flood runs at the pace of the
/// processor, and the wire shows only in what a single message takes beyond its overheads. The same
/// if messages share the wire: they arrive together, and the flood ends with the receiver that
/// receives them one by one.
void correct_G(MessageMeasurement& m) {
    auto& p = m.profile.loggp;
    auto& error = m.profile.error;
    const auto& overhead = m.profile.overhead;
    const auto bytes = static_cast<double>(m.sizes.back());
    const double o_s = overhead.send.back().front();
    const double o_r = overhead.receive.back();
    const bool processor_bound =
        std::max(o_s, o_r) > 0.9 * p.G * bytes || m.profile.nic == Nic::sharing;
    if (!processor_bound || m.sizes.size() < 2) return;
    const std::size_t before = m.sizes.size() - 2;
    const double overheads = o_s - overhead.send[before].front() + o_r - overhead.receive[before];
    const Estimate& last_trip = m.trips.back();
    const Estimate& trip_before = m.trips[before];
    const double left = last_trip.median - trip_before.median - overheads;
    // A difference within its own uncertainty says nothing about the wire.
    const double uncertain = last_trip.error * last_trip.median +
                             trip_before.error * trip_before.median + error.o_r * o_r +
                             error.o_s * o_s;
    if (left <= uncertain) return;
    p.G = std::min(p.G, left / (bytes - static_cast<double>(m.sizes[before])));
    error.G = uncertain / left;
}

/// L is what is left of half a round trip without overheads and G S. If the message arrives while
/// its sender is still in the call, nothing is left.
void derive_L(MessageMeasurement& m) {
    auto& p = m.profile.loggp;
    auto& error = m.profile.error;
    const auto& trip = m.trips.front();
    // A round trip has overheads at the usual clock in it, not at the fastest.
    const double clock = m.pair.one_node() ? 1 : m.context.sampling.environment.clock().typical();
    p.L = std::max(
        0.0, trip.median - (p.o_s + p.o_r) / clock - p.G * static_cast<double>(m.sizes.front()));
    if (p.L > 0) error.L = (trip.error * trip.median + error.o_s * p.o_s + error.o_r * p.o_r) / p.L;
}

}  // namespace

LogGPOptions LogGPOptions::quick() {
    LogGPOptions options;
    options.sizes = {8, 1024, 8192, 32768, 65536, 262144, 1048576};
    options.bursts = {1, 8, 64};
    options.visit = 2e-3;
    return options;
}

LogGPOptions LogGPOptions::parameters() {
    LogGPOptions options;
    options.sizes = {8, 524288, 1048576};
    options.bursts = {1};
    options.visit = 2e-3;
    options.parameters_only = true;
    return options;
}

std::vector<Estimate> measure_loggp(Context& context, const LogGPOptions& options,
                                    Profile& profile) {
    const Sampling& sampling = context.sampling;
    sampling.report(0, "warming up");
    MessageMeasurement m(context, options, profile);
    measure_costs(m);
    measure_nic(m);
    correct_G(m);
    derive_L(m);
    // Both ranks run what follows with what rank 0 has measured.
    auto& p = profile.loggp;
    for (double* const parameter : {&p.L, &p.o_s, &p.o_r, &p.G})
        *parameter = m.pair.from_first(*parameter);
    m.receive_line = {m.pair.from_first(m.receive_line.base),
                      m.pair.from_first(m.receive_line.per_byte)};
    if (options.parameters_only) {
        profile.queue_depth_reason = "not looked for";
    } else {
        measure_progress_steal(m);
        measure_progress(m);
        sampling.report(0.98, "queue depth");
        measure_queue_depth(m);
    }
    sampling.report(1, "done");
    return m.trips;
}

}  // namespace lapwing

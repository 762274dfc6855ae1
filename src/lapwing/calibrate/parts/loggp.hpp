#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "lapwing/calibrate/benchmarks/overlap_kernels.hpp"
#include "lapwing/calibrate/benchmarks/pair_benchmarks.hpp"
#include "lapwing/calibrate/benchmarks/progress_steal.hpp"
#include "lapwing/calibrate/ranks/rank_pair.hpp"
#include "lapwing/calibrate/sampling/campaign.hpp"
#include "lapwing/calibrate/statistics/detect.hpp"
#include "lapwing/model/progress_overhead.hpp"
#include "lapwing/profile/profile.hpp"
#include "lapwing/profile/table.hpp"
#include "lapwing/simulate/recurrence/stream_recurrence.hpp"

namespace lapwing {

/// What to measure, and how long to take.
struct CalibrationOptions {
    SamplingGoal goal = {.accuracy = 0.02, .budget = 0, .least = 6};
    std::vector<std::uint64_t> sizes = {8,     64,    256,   1024,   2048,   4096,   8192,
                                        16384, 32768, 65536, 131072, 262144, 524288, 1048576};
    std::vector<int> bursts = {1, 4, 16, 64};
    int deepest_queue = 256;       ///< messages outstanding when looking for a queue depth
    double longest = 12e-3;        ///< seconds one sample may keep the wire busy
    double visit = 6e-3;           ///< seconds to stay with one quantity before turning to the next
    double seconds = 22;           ///< for all of it, about
    bool parameters_only = false;  ///< L, o, g, G; neither progress nor queue depth
    StatusCallback progress;       ///< share done, and what comes next

    /// Fewer entries, in a few seconds.
    static CalibrationOptions quick() {
        CalibrationOptions options;
        options.goal.accuracy = 0.05;
        options.sizes = {8, 1024, 8192, 32768, 65536, 262144, 1048576};
        options.bursts = {1, 8, 64};
        options.visit = 2e-3;
        options.seconds = 3.5;
        return options;
    }
    /// The LogGP parameters alone.
    static CalibrationOptions loggp() {
        CalibrationOptions options;
        options.sizes = {8, 524288, 1048576};
        options.bursts = {1};
        options.visit = 2e-3;
        options.seconds = 2;
        options.parameters_only = true;
        return options;
    }
};

/// Measures two ranks over a transport: L, o_s, o_r, g, G, o(S, b), queue depth, bandwidth one way
/// and both ways, whether the interface serialises, and whether messages advance unattended.
/// All of it comes from timing; nothing is looked up. Both ranks call `run`; rank 0 has the
/// profile.
template <Transport T>
class Calibration {
  public:
    Calibration(TransportPair<T>& pair, const CalibrationOptions& options)
        : pair_(pair), options_(options), pass_(VectorAdd::measure_pass()) {}

    Profile run() {
        report(0, "warming up");
        warm_up();
        PairBenchmarks<T> exchange(pair_, std::max<std::uint64_t>(4 * sizes_.back(), 1 << 20));
        costs(exchange);
        interface(exchange);
        loggp();
        // What follows is run by both ranks with what rank 0 has measured.
        auto& p = profile_.loggp;
        for (double* const parameter : {&p.L, &p.o_s, &p.o_r, &p.G})
            *parameter = pair_.from_first(*parameter);
        receive_line_ = {pair_.from_first(receive_line_.base),
                         pair_.from_first(receive_line_.per_byte)};
        if (options_.parameters_only) {
            profile_.queue_depth_reason = "not looked for";
        } else {
            taken(exchange);
            progress(exchange);
            report(0.98, "queue depth");
            find_queue_depth(exchange);
        }
        report(1, "done");
        return std::move(profile_);
    }

    [[nodiscard]] const NoiseCounts& noise() const { return noise_; }
    /// Half the round trip of each size of the profile's tables, seconds; rank 0's.
    [[nodiscard]] const std::vector<Estimate>& half_round_trips() const { return trips_; }

  private:
    void report(double share, const std::string& what) {
        if (pair_.first() && options_.progress) options_.progress(share, what);
    }
    /// A part of the time: from share `begin` of all of it to share `end`.
    [[nodiscard]] Campaign<T> campaign(double begin, double end) {
        return {pair_, options_.goal, (end - begin) * options_.seconds, noise_,
                [this, begin, end](double share, const std::string& what) {
                    report(begin + share * (end - begin), what);
                }};
    }
    [[nodiscard]] double wire(std::uint64_t bytes) const {
        return rough_G_ * static_cast<double>(bytes);
    }
    /// How often to repeat in one visit what takes about `seconds`.
    [[nodiscard]] int repetitions(double seconds) const {
        return lapwing::repetitions(seconds, options_.visit, 200);
    }

    /// Opens connections, fills caches, and learns roughly how fast the wire is, so that what
    /// follows can be bounded in time.
    void warm_up() {
        constexpr std::uint64_t small = 8;
        constexpr std::uint64_t large = 65536;
        PairBenchmarks<T> exchange(pair_, large);
        const int rounds = simulated_time ? 1 : 30;
        Series short_trips;
        Series long_trips;
        exchange.half_round_trips(small, rounds, short_trips);
        exchange.half_round_trips(large, rounds, long_trips);
        short_trips.close();
        long_trips.close();
        rough_L_ = pair_.from_first(short_trips.median());
        const double longer = std::max(long_trips.median() - rough_L_, 1e-3 * rough_L_);
        rough_G_ = pair_.from_first(longer / static_cast<double>(large));
        sizes_ = options_.sizes;
        // A slow wire bounds the sizes; there is always one to take G from.
        while (sizes_.size() > 2 && wire(sizes_.back()) > options_.longest) sizes_.pop_back();
    }

    /// Everything that messages of one size cost, in one campaign over all sizes.
    void costs(PairBenchmarks<T>& exchange) {
        const std::size_t sizes = sizes_.size();
        // Where there is no wire, a message's whole way is some processor's work.
        std::vector<Series> trips(sizes, pair_.one_node() ? Series(pair_.clock_speed()) : Series());
        std::vector<Series> receive(sizes, Series(pair_.clock_speed()));
        std::vector<Series> one_way(sizes);
        std::vector<Series> both_ways(sizes);
        std::vector<std::deque<Series>> send(sizes);
        auto all = campaign(0.02, 0.64);
        for (std::size_t i = 0; i < sizes; ++i) {
            const std::uint64_t size = sizes_[i];
            const double trip = 2 * (rough_L_ + wire(size));
            all.add("round trip", {&trips[i]}, [&, size, i, trip] {
                exchange.half_round_trips(size, repetitions(trip), trips[i]);
            });
            for (const int burst : options_.bursts) {
                const double bytes_time = wire(size * static_cast<std::uint64_t>(burst));
                // What would keep the wire busy for too long is taken from the burst before.
                if (burst != options_.bursts.front() && bytes_time > options_.longest) break;
                auto& series = send[i].emplace_back(pair_.clock_speed());
                const double time = bytes_time + burst * rough_L_ + 2 * rough_L_;
                all.add("initiation overhead o(S, b)", {&series}, [&, size, burst, time] {
                    exchange.bursts(size, burst, repetitions(time), series);
                });
            }
            const double delay = simulated_time ? 20e-6 + 3 * (rough_L_ + wire(size))
                                                : std::min(20e-6 + 2 * trip, 200e-6);
            all.add("receive overhead o_r(S)", {&receive[i]}, [&, size, i, trip, delay] {
                exchange.receptions(size, delay, repetitions(trip + delay), receive[i]);
            });
            const std::uint64_t count = flood_count(size);
            const double time = wire(size * (count + 1)) + rough_L_ * static_cast<double>(count);
            all.add("bandwidth", {&one_way[i]}, [&, size, count, time, i] {
                exchange.flood_gaps(size, count, false, repetitions(time), one_way[i]);
            });
            all.add("bandwidth both ways", {&both_ways[i]}, [&, size, count, time, i] {
                exchange.flood_gaps(size, count, true, repetitions(2 * time), both_ways[i]);
            });
        }
        all.run();

        auto& overhead = profile_.overhead;
        auto& bandwidth = profile_.bandwidth;
        overhead.sizes = bandwidth.sizes = sizes_;
        overhead.bursts = options_.bursts;
        for (std::size_t i = 0; i < sizes; ++i) {
            auto& row = overhead.send.emplace_back();
            for (const auto& series : send[i]) row.push_back(std::max(0.0, series.median()));
            while (row.size() < options_.bursts.size()) {
                profile_.interpolated.push_back("overhead.send[" + std::to_string(i) + "][" +
                                                std::to_string(row.size()) + "]");
                row.push_back(row.back());
            }
            overhead.receive.push_back(receive[i].median());
            const auto bytes = static_cast<double>(sizes_[i]);
            // A disturbed difference may come out as nothing: no wire is a thousand times as fast
            // as a round trip says.
            const double floor = 1e-3 * wire(sizes_[i]);
            bandwidth.unidirectional.push_back(bytes / std::max(one_way[i].median(), floor));
            bandwidth.bidirectional.push_back(2 * bytes / std::max(both_ways[i].median(), floor));
            trips_.push_back(trips[i].estimate());
        }
        auto& p = profile_.loggp;
        auto& error = profile_.error;
        const auto first = send.front().front().estimate();
        const auto gap = one_way.front().estimate();
        const auto long_gap = one_way.back().estimate();
        const auto taken = receive.front().estimate();
        p.o_s = std::max(0.0, first.median);
        p.o_r = std::max(0.0, taken.median);
        p.g = std::max(0.0, gap.median);
        p.G = 1 / bandwidth.unidirectional.back();
        error.o_s = first.error;
        error.o_r = taken.error;
        error.g = gap.error;
        error.G = long_gap.error;
        // Small messages' overheads tell a straight line; the table has the others'.
        constexpr double small = 8192;
        receive_line_ = fit_line(sizes_, overhead.receive, small);
    }

    [[nodiscard]] std::uint64_t flood_count(std::uint64_t size) const {
        return lapwing::flood_count(wire(size), options_.longest);
    }

    void loggp() {
        auto& p = profile_.loggp;
        auto& error = profile_.error;
        const auto bytes = static_cast<double>(sizes_.back());
        const double o_s = profile_.overhead.send.back().front();
        const double o_r = profile_.overhead.receive.back();
        // Where a processor takes longer over a byte than the wire, the flood runs at the
        // processor's pace and the wire shows only in what a single message takes on top.
        // Where messages share the wire they arrive together, and the flood ends with the receiver
        // taking them up one by one.
        const bool processor_bound =
            std::max(o_s, o_r) > 0.9 * p.G * bytes || profile_.nic == Nic::sharing;
        if (processor_bound && sizes_.size() > 1) {
            const std::size_t before = sizes_.size() - 2;
            const double overheads = o_s - profile_.overhead.send[before].front() + o_r -
                                     profile_.overhead.receive[before];
            const double left = trips_.back().median - trips_[before].median - overheads;
            // A difference within its own uncertainty tells nothing of the wire.
            const double uncertain = trips_.back().error * trips_.back().median +
                                     trips_[before].error * trips_[before].median +
                                     error.o_r * o_r + error.o_s * o_s;
            if (left > uncertain) {
                p.G = std::min(p.G, left / (bytes - static_cast<double>(sizes_[before])));
                error.G = uncertain / left;
            }
        }
        // Where the message arrives while its sender is still in the call, nothing is left for L.
        // The overheads in a round trip are those of the clock that it met.
        const auto& trip = trips_.front();
        const double clock = pair_.one_node() ? 1 : pair_.clock_speed().typical();
        p.L = std::max(
            0.0, trip.median - (p.o_s + p.o_r) / clock - p.G * static_cast<double>(sizes_.front()));
        if (p.L > 0)
            error.L = (trip.error * trip.median + error.o_s * p.o_s + error.o_r * p.o_r) / p.L;
    }

    /// What two messages at once tell of the wire. Long enough for the second to be sent while the
    /// first is on its way, short enough for MPI not to take turns as it likes. Shorter ones may
    /// leave in order where those do not.
    void interface(PairBenchmarks<T>& exchange) {
        constexpr std::uint64_t shortest = 16384;
        // The first from which on the wire takes so many times what initiating does, and a message
        // of next to nothing.
        const auto shortest_of = [&](double overheads, double trips) {
            std::size_t found = sizes_.size() - 1;
            for (std::size_t i = found; pair_.first() && i-- > 0 && sizes_[i] >= shortest;) {
                const double overhead = profile_.overhead.send[i].back();
                const double least = std::max(overheads * overhead, trips * trips_.front().median);
                if (wire(sizes_[i]) < least) break;
                found = i;
            }
            return static_cast<std::size_t>(pair_.from_first(static_cast<double>(found)));
        };
        const std::size_t from = shortest_of(8, 0);
        // The wire may give the shortest of these more than it keeps up.
        std::size_t i = std::min(from + 1, sizes_.size() - 1);
        if (!share_wire(exchange, sizes_[i], 0.64, 0.66)) return;
        profile_.nic = Nic::sharing;
        const std::size_t least = shortest_of(4, 4);
        double begin = 0.66;
        for (int tries = 0; tries < 4 && i > least; ++tries, begin += 0.005) {
            if (share_wire(exchange, sizes_[--i], begin, begin + 0.005)) continue;
            profile_.in_order_up_to = sizes_[i];
            return;
        }
    }
    /// Two messages of `size` bytes at once: the first arrives as soon as alone on a wire that
    /// takes them in order, and with the second on one that shares its bandwidth among them. On
    /// both ranks; in the share of the time from `begin` to `end`.
    [[nodiscard]] bool share_wire(PairBenchmarks<T>& exchange, std::uint64_t size, double begin,
                                  double end) {
        Series one;
        Series first;
        Series both;
        auto all = campaign(begin, end);
        const int times = repetitions(2 * wire(size));
        all.add("messages side by side", {&one, &first, &both}, [&] {
            for (int i = 0; i < times; ++i) {
                one.add(exchange.flood(size, 1));
                both.add(exchange.flood(size, 2));
            }
            exchange.first_of_two(size, size, times, first);
        });
        all.run();
        const bool sharing = first.median() - one.median() > 0.5 * (both.median() - one.median());
        return pair_.from_first(sharing ? 1 : 0) != 0;
    }

    /// A stream to a rank that computes as long as the wire takes, or longer; and both ways.
    enum class Ways { stream, receiving, exchange, loose_exchange };
    [[nodiscard]] static bool both(Ways ways) {
        return ways == Ways::exchange || ways == Ways::loose_exchange;
    }

    /// Messages and computation: a stream, or both ways at once.
    struct Load {
        std::uint64_t size = 0;
        std::uint64_t count = 0;
        int window = 1;
        double pace = 0;
        double wire_time = 0;  ///< seconds a message
        model::Stream costs;
        Computation work;
        Ways ways = Ways::stream;
    };

    [[nodiscard]] OverlapTimes run(const Load& load, PairBenchmarks<T>& exchange, Computation& work,
                                   bool polled) {
        if (load.ways == Ways::loose_exchange)
            return exchange_around_computation(pair_, exchange.buffers(), load.size, load.count,
                                               work, polled);
        if (load.ways == Ways::exchange)
            return exchange_while_computing(pair_, exchange.buffers(), load.size, load.count,
                                            load.window, work, polled);
        return stream_while_computing(pair_, exchange.buffers(), load.size, load.count, load.window,
                                      load.pace, work, polled);
    }
    /// Seconds that a stream takes where its messages advance by themselves.
    [[nodiscard]] static double play(const Load& load, const model::Stream& costs) {
        simulate::StreamRecurrence messages(costs);
        messages.messages(static_cast<double>(load.size), static_cast<double>(load.count));
        return messages.consumed();
    }
    /// Adds the share of a stream's transfer that was hidden to `share`: against what the messages
    /// would take if they advanced by themselves and took of the computation only what the system
    /// does. The wire is as it is when nothing is computed.
    void hidden(Load& load, PairBenchmarks<T>& exchange, bool polled, Series& share) {
        const auto bytes = static_cast<double>(load.size);
        const auto n = static_cast<double>(load.count);
        model::Stream costs = load.costs;
        double each = load.wire_time;
        if (!simulated_time) {
            Computation nothing;
            const double alone = run(load, exchange, nothing, true).total;
            each = std::max(each, alone / n);
            const double fixed = play(load, {.L = costs.L, .o_s = costs.o_s, .o_r = costs.o_r});
            costs.G = std::max(0.5 * costs.G, (alone - fixed) / (n * bytes));
        }
        const OverlapTimes took = run(load, exchange, load.work, polled);
        const double O = profile_.progress.O_r;
        costs.t =
            (took.computation + model::progress_overhead(took.computation, n * bytes, costs.G, O)) /
            (n * bytes);
        const double stalled = (took.total - play(load, costs)) / (n - 1);
        share.add(std::clamp(1 - stalled / each, 0.0, 1.0));
    }
    /// Adds what a message cost beyond its computation to `seconds`. Nothing hides the way of the
    /// first if it is awaited before anything is computed.
    void exposed(Load& load, PairBenchmarks<T>& exchange, bool polled, Series& seconds) {
        const OverlapTimes took = run(load, exchange, load.work, polled);
        const auto n = static_cast<double>(load.count);
        const double first = load.ways == Ways::loose_exchange ? 0 : load.costs.L + load.wire_time;
        const double beyond = (took.total - took.computation - first) / n;
        if (load.ways != Ways::receiving) {
            seconds.add(std::max(0.0, beyond));
            return;
        }
        // A rank that computes longer than the wire takes waits for nothing but what stands still
        // meanwhile. Its calls are known better than the difference of two computations.
        constexpr double unresolved = 0.05;  // of the wire's time
        seconds.add(std::max(took.calls / n, beyond - unresolved * load.wire_time));
    }
    void attend(Load& load, PairBenchmarks<T>& exchange, bool polled, Series& series) {
        load.ways == Ways::stream ? hidden(load, exchange, polled, series)
                                  : exposed(load, exchange, polled, series);
    }

    /// A load of messages of the profile's size `i`, with `share` as much computation as the wire
    /// takes, or what else keeps up a flood of them.
    [[nodiscard]] Load load(std::size_t i, Ways ways, double share) {
        const bool both_ways = both(ways);
        const std::uint64_t size = sizes_[i];
        // Not every network is a straight line: what this size takes is its own. On real ones
        // the stream itself says so, when nothing is computed.
        const double G =
            both_ways        ? pair_.from_first(std::max(profile_.loggp.G, two_way_gap(profile_)))
            : simulated_time ? pair_.from_first(gap_per_byte(profile_, static_cast<double>(size)))
                             : profile_.loggp.G;
        const double wire_time = G * static_cast<double>(size);
        const double pace = shares_wire(profile_, size) && !both_ways ? G : 0;
        model::Stream costs;
        costs.L = profile_.loggp.L;
        costs.G = G;
        costs.o_s.base = pair_.first() ? profile_.overhead.send[i].back() : 0;
        costs.o_r = receive_line_;
        if (simulated_time && pair_.first())
            costs.L = std::max(0.0, trips_[i].median - costs.o_s(0) - wire_time -
                                        costs.o_r(static_cast<double>(size)));
        // Some transports need more than two in flight to keep going, others let all that are
        // in flight share the wire, so that each comes late. More still where two cannot cover
        // the way there and back.
        const double way = 2 * profile_.loggp.L + profile_.loggp.o_s + profile_.loggp.o_r;
        int window = static_cast<int>(std::clamp(2 + way / wire_time, 2.0, 64.0));
        if (pace > 0) window = 64;  // the sender alone says when a message goes
        std::uint64_t count = both_ways ? std::max<std::uint64_t>(8, flood_count(size))
                                        : std::max<std::uint64_t>(4, flood_count(size) / 2);
        // As long whatever the size: a link that has rested gives the first of them away, which
        // would flatter short ones.
        if (ways == Ways::exchange)
            count =
                std::max<std::uint64_t>(8, lapwing::flood_count(wire_time, options_.longest, 1024));
        if (ways == Ways::loose_exchange) window = static_cast<int>(count);
        double paced = wire_time;
        if (ways == Ways::receiving) {
            const auto bytes = static_cast<double>(size);
            paced = std::max(paced, pair_.from_first(gap_per_byte(profile_, bytes) * bytes));
            window = std::max(window, min_preposted_receives);
        }
        Computation work(std::max(share * paced, 5e-6), pass_);
        return {size, count, window, pace, wire_time, costs, std::move(work), ways};
    }
    /// Loads of all sizes that are used one way, and what was seen of them.
    struct Watched {
        Ways ways = Ways::stream;
        double computation = 1;  ///< of the wire's time
        std::deque<Load> loads;
        std::deque<Load> wider;  ///< the same with more in flight, for exchanges
        std::deque<Series> unattended;
        std::deque<Series> polled;
        std::deque<Series> wide;

        /// What one of these comes to. Whatever disturbs the machine exposes more, never less, and
        /// for longer than a sample takes.
        [[nodiscard]] double of(const Series& series) const {
            return ways == Ways::stream ? series.median() : series.lower_quartile();
        }
    };
    /// Messages of the profile's sizes from number `first` on. `computation`: of the wire's time.
    [[nodiscard]] Watched loads(Ways ways, double computation, std::size_t first) {
        Watched watched;
        watched.ways = ways;
        watched.computation = computation;
        for (std::size_t i = first; i < sizes_.size(); ++i) {
            watched.loads.push_back(load(i, ways, computation));
            if (ways != Ways::exchange) continue;
            watched.wider.push_back(load(i, ways, computation));
            watched.wider.back().window *= widening;
        }
        watched.unattended.resize(watched.loads.size());
        watched.polled.resize(watched.loads.size());
        watched.wide.resize(watched.wider.size());
        return watched;
    }
    /// Has `all` find out what messages of these loads hide, or both ways the seconds that they
    /// expose.
    void watch(Watched& watched, PairBenchmarks<T>& exchange, Campaign<T>& all) {
        const bool streamed = watched.ways == Ways::stream;
        const std::string how = streamed                          ? ""
                                : watched.ways == Ways::receiving ? ", beyond computation"
                                : watched.ways == Ways::exchange  ? ", both ways"
                                                                  : ", both ways at once";
        const auto add = [&](const std::string& what, Load& load, bool poll, Series& series) {
            // What exchanges expose is little beside what they take.
            constexpr double visits = 4;
            const double once = 2 * static_cast<double>(load.count) * load.wire_time;
            const int times = streamed ? 1 : repetitions(once / visits);
            all.add(what + how, {&series}, [this, &exchange, &load, poll, times, &series] {
                for (int i = 0; i < times; ++i) attend(load, exchange, poll, series);
            });
        };
        for (std::size_t i = 0; i < watched.loads.size(); ++i) {
            Load& each = watched.loads[i];
            add("progress while computing", each, false, watched.unattended[i]);
            if (!watched.wider.empty())
                add("more messages in flight", watched.wider[i], false, watched.wide[i]);
            // In simulated time it is free. Between short messages there is no time to poll.
            if (polls(each)) add("progress with polling", each, true, watched.polled[i]);
        }
    }
    [[nodiscard]] static AsyncProgress seen(const Watched& watched) {
        AsyncProgress table;
        for (std::size_t i = 0; i < watched.loads.size(); ++i) {
            const Load& load = watched.loads[i];
            double alone = watched.of(watched.unattended[i]);
            double attended = polls(load) ? watched.of(watched.polled[i]) : alone;
            int window = load.window;
            // Both ways more in flight is more that stands in queues: it has to be worth it.
            if (!watched.wider.empty() &&
                watched.of(watched.wide[i]) < std::min(alone, attended) - 0.25 * load.wire_time) {
                alone = attended = watched.of(watched.wide[i]);
                window = watched.wider[i].window;
            }
            table.sizes.push_back(load.size);
            table.window.push_back(window);
            table.without_polling.push_back(alone);
            table.with_polling.push_back(attended);
        }
        return table;
    }
    void progress(PairBenchmarks<T>& exchange) {
        auto& table = profile_.progress;
        table.poll_interval = Computation::block_seconds;
        Watched stream = loads(Ways::stream, 1, 0);
        for (std::size_t i = 0; i < stream.loads.size(); ++i) {
            report(0.72 + 0.014 * static_cast<double>(i) / static_cast<double>(sizes_.size()),
                   "messages in flight");
            choose_window(stream.loads[i], exchange);
        }
        auto one_way = campaign(0.734, 0.79);
        watch(stream, exchange, one_way);
        one_way.run();
        static_cast<AsyncProgress&>(table) = seen(stream);
        // Messages of simulated time advance whoever computes.
        if (simulated_time) return;
        // One that is all overhead has nothing to hide.
        constexpr std::uint64_t shortest = 1024;
        std::size_t first = 0;
        while (first + 1 < sizes_.size() && sizes_[first] < shortest) ++first;
        // In one campaign: a slow spell may last as long as one of these would.
        std::array watched{loads(Ways::exchange, 1, first), loads(Ways::exchange, 0.5, first),
                           loads(Ways::loose_exchange, 1, first), loads(Ways::receiving, 1.5, 0)};
        auto both_ways = campaign(0.79, 0.98);
        for (Watched& each : watched) watch(each, exchange, both_ways);
        both_ways.run();
        for (const Watched& each : watched) {
            auto [sizes, exposed, exposed_polled, window] = seen(each);
            table.exposed_time.push_back({both(each.ways) ? Traffic::both : Traffic::receive,
                                          each.computation, each.ways == Ways::loose_exchange,
                                          std::move(sizes), std::move(exposed),
                                          std::move(exposed_polled), std::move(window)});
        }
    }

    /// What messages under way take of a processor that computes. In simulated time nothing.
    void taken(PairBenchmarks<T>& exchange) {
        if (simulated_time) return;
        constexpr std::uint64_t longest = 262144;
        std::size_t at = sizes_.size() - 1;
        while (at > 0 && sizes_[at] > longest) --at;
        const std::uint64_t size = sizes_[at];
        const double wire_time = profile_.loggp.G * static_cast<double>(size);
        // More of it than there is communication: what is on its way while a rank waits takes
        // nothing from anybody.
        Computation work(1.5 * std::max(wire_time, 5e-6), pass_);
        Series sending;
        Series receiving;
        Series both;
        auto all = campaign(0.68, 0.72);
        const auto add = [&](TrafficDirection direction, Series& series) {
            all.add("what messages take of a computation", {&series}, [&, direction] {
                series.add(progress_steal_per_byte(pair_, exchange.buffers(), direction, size,
                                                   flood_count(size), 2, work));
            });
        };
        add(TrafficDirection::sending, sending);
        add(TrafficDirection::receiving, receiving);
        add(TrafficDirection::both, both);
        all.run();
        // What cannot be told from the noise of the computation is nothing.
        const auto clear = [&](const Series& series) {
            constexpr double share = 0.05;
            const double seconds = series.median();
            return seconds > share * profile_.loggp.G ? seconds : 0;
        };
        auto& table = profile_.progress;
        table.O_s = clear(sending);
        table.O_r = clear(receiving);
        table.O_both = clear(both);
    }

    [[nodiscard]] static bool polls(const Load& load) {
        return !simulated_time && load.wire_time > Computation::block_seconds;
    }

    static constexpr int widening = 4;  ///< of windows

    /// A wider window for a stream that clearly hides more with it.
    void choose_window(Load& stream, PairBenchmarks<T>& exchange) {
        if (simulated_time) return;
        Series narrow;
        Series wide;
        const int window = stream.window;
        for (int i = 0; i < 5; ++i) {
            stream.window = window;
            attend(stream, exchange, false, narrow);
            stream.window = widening * window;
            attend(stream, exchange, false, wide);
        }
        narrow.close();
        wide.close();
        const bool wider = wide.median() > narrow.median() + 0.05;
        stream.window = pair_.from_first(wider ? 1 : 0) != 0 ? widening * window : window;
    }

    void find_queue_depth(PairBenchmarks<T>& exchange) {
        const std::uint64_t size = sizes_[std::min<std::size_t>(3, sizes_.size() - 1)];
        const auto burst =
            static_cast<std::size_t>(std::clamp(options_.longest / std::max(wire(size), 1e-9), 16.0,
                                                static_cast<double>(options_.deepest_queue)));
        std::vector<std::vector<double>> repeated(burst);
        std::vector<double> times;
        for (int i = 0; i < (simulated_time ? 1 : 9); ++i) {
            pair_.yield_core();
            times = exchange.initiations(size, static_cast<int>(burst));
            for (std::size_t k = 0; k < times.size(); ++k) repeated[k].push_back(times[k]);
        }
        for (std::size_t k = 0; k < times.size(); ++k) times[k] = median(repeated[k]);
        profile_.queue_depth = detect_queue_depth(times);
        if (!profile_.queue_depth) {
            profile_.queue_depth_reason = "initiating messages of " + std::to_string(size) +
                                          " bytes did not slow down up to " +
                                          std::to_string(burst) + " outstanding";
        }
    }

    TransportPair<T>& pair_;
    CalibrationOptions options_;
    double pass_;

    double rough_L_ = 0;
    double rough_G_ = 0;
    std::vector<std::uint64_t> sizes_;
    std::vector<Estimate> trips_;
    LinearCost receive_line_;
    Profile profile_;
    NoiseCounts noise_;
};

}  // namespace lapwing

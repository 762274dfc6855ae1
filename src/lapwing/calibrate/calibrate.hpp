#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lapwing/calibrate/attend.hpp"
#include "lapwing/calibrate/exchange.hpp"
#include "lapwing/calibrate/knee.hpp"
#include "lapwing/calibrate/pair.hpp"
#include "lapwing/calibrate/sampler.hpp"
#include "lapwing/profile/profile.hpp"
#include "lapwing/profile/table.hpp"
#include "lapwing/simulate/stream.hpp"

namespace lapwing {

/// What to measure, and how long to take.
struct CalibrationOptions {
    Goal goal;
    std::vector<std::uint64_t> sizes = {8,     64,    256,   1024,   2048,   4096,   8192,
                                        16384, 32768, 65536, 131072, 262144, 524288, 1048576};
    std::vector<int> bursts = {1, 2, 4, 8, 16, 32, 64};
    int deepest_queue = 256;  ///< messages outstanding when looking for a queue depth
    double longest = 20e-3;   ///< seconds one sample may keep the wire busy
    std::function<void(double, const std::string&)> progress;  ///< share done, what comes next

    /// Fewer entries, in a few seconds.
    static CalibrationOptions quick() {
        CalibrationOptions options;
        options.goal = {.accuracy = 0.05, .budget = 0.08, .least = 7};
        options.sizes = {8, 1024, 8192, 32768, 65536, 262144, 1048576};
        options.bursts = {1, 8, 64};
        options.longest = 10e-3;
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
    Calibration(Pair<T>& pair, const CalibrationOptions& options)
        : pair_(pair), options_(options), pass_(VectorAdd::measure_pass()) {}

    Profile run() {
        report(0, "warming up");
        warm_up();
        report(0.05, "initiation overhead o(S, b)");
        overhead();
        report(0.4, "receive overhead o_r(S)");
        receive_overhead();
        report(0.5, "bandwidth");
        bandwidth();
        report(0.7, "latency");
        interface();
        loggp();
        // What follows is run by both ranks with what rank 0 has measured.
        auto& p = profile_.loggp;
        for (double* const parameter : {&p.L, &p.o_s, &p.o_r, &p.G})
            *parameter = pair_.share(*parameter);
        report(0.75, "progress while computing");
        progress();
        report(0.95, "queue depth");
        find_queue_depth();
        report(1, "done");
        return std::move(profile_);
    }

    [[nodiscard]] const Disturbance& disturbance() const { return disturbance_; }

  private:
    void report(double share, const char* what) {
        if (pair_.first() && options_.progress) options_.progress(share, what);
    }
    template <class Measure>
    Estimate measure(Measure&& measure) {
        return sample(pair_, options_.goal, disturbance_, measure);
    }
    [[nodiscard]] double wire(std::uint64_t bytes) const {
        return rough_G_ * static_cast<double>(bytes);
    }

    /// Opens connections, fills caches, and learns roughly how fast the wire is, so that what
    /// follows can be bounded in time.
    void warm_up() {
        constexpr std::uint64_t small = 8;
        constexpr std::uint64_t large = 65536;
        buffers_.emplace_back(large);
        const int rounds = simulated_time ? 1 : 30;
        std::vector<double> short_trips;
        std::vector<double> long_trips;
        for (int i = 0; i < rounds; ++i) {
            short_trips.push_back(half_round_trip(pair_, buffers_.back(), small));
            long_trips.push_back(half_round_trip(pair_, buffers_.back(), large));
        }
        rough_L_ = pair_.share(median(short_trips));
        const double longer = std::max(median(long_trips) - rough_L_, 1e-3 * rough_L_);
        rough_G_ = pair_.share(longer / static_cast<double>(large));
        sizes_ = options_.sizes;
        // A slow wire bounds the sizes; there is always one to take G from.
        while (sizes_.size() > 2 && wire(sizes_.back()) > options_.longest) sizes_.pop_back();
        buffers_.clear();
        buffers_.emplace_back(std::max<std::uint64_t>(4 * sizes_.back(), 1 << 20));
    }

    void overhead() {
        auto& table = profile_.overhead;
        table.sizes = sizes_;
        table.bursts = options_.bursts;
        for (std::size_t i = 0; i < sizes_.size(); ++i) {
            const std::uint64_t size = sizes_[i];
            std::vector<double> row;
            for (const int burst : options_.bursts) {
                const auto bytes = size * static_cast<std::uint64_t>(burst);
                // What would keep the wire busy for too long is taken from the burst before.
                if (!row.empty() && wire(bytes) > options_.longest) {
                    row.push_back(row.back());
                    continue;
                }
                std::vector<double> times(static_cast<std::size_t>(burst));
                const auto result = measure([&] {
                    initiation(pair_, buffers_.back(), size, times);
                    double sum = 0;
                    for (const double time : times) sum += time;
                    return sum / static_cast<double>(burst);
                });
                row.push_back(result.median);
                if (i == 0 && burst == 1) {
                    profile_.loggp.o_s = result.median;
                    profile_.error.o_s = result.error;
                }
            }
            table.send.push_back(row);
            report(0.05 + 0.35 * static_cast<double>(i + 1) / static_cast<double>(sizes_.size()),
                   "initiation overhead o(S, b)");
        }
    }

    void receive_overhead() {
        for (const std::uint64_t size : sizes_) {
            Work work(1.5 * wire(size) + 3 * rough_L_ + 20e-6, pass_);
            const auto added =
                measure([&] { return added_by_receive(pair_, buffers_.back(), size, work); });
            profile_.overhead.receive.push_back(std::max(added.median, 0.0));
            if (size == sizes_.front()) {
                profile_.loggp.o_r = profile_.overhead.receive.front();
                profile_.error.o_r = added.error;
            }
        }
        // A message that waits for somebody to call the transport shows as overhead of its whole
        // length. Small messages do not wait: their overheads tell what the others' would be.
        constexpr double small = 8192;
        receive_line_ = fit_line(sizes_, profile_.overhead.receive, small);
        for (std::size_t i = 0; i < sizes_.size(); ++i) {
            double& measured = profile_.overhead.receive[i];
            const double expected = receive_line_(static_cast<double>(sizes_[i]));
            if (measured > 2 * expected && measured > 0.25 * wire(sizes_[i])) measured = expected;
        }
    }

    /// Streams with as much computation as communication, against what they would take if messages
    /// advanced by themselves: the share of the transfer that was hidden.
    void progress() {
        auto& table = profile_.progress;
        for (std::size_t i = 0; i < sizes_.size(); ++i) {
            const std::uint64_t size = sizes_[i];
            const auto bytes = static_cast<double>(size);
            const auto count = std::max<std::uint64_t>(4, flood_count(size) / 2);
            const double wire_time = profile_.loggp.G * bytes;
            Work work(std::max(wire_time, 5e-6), pass_);
            model::Stream costs;
            costs.L = profile_.loggp.L;
            costs.G = profile_.loggp.G;
            costs.o_s.base = profile_.overhead.send[i].back();
            costs.o_r = receive_line_;
            const double pace = profile_.nic == Nic::sharing ? profile_.loggp.G : 0;
            const auto hidden = [&](int window, bool polled) {
                const auto stalled = measure([&] {
                    const auto took = attended_stream(pair_, buffers_.back(), size, count, window,
                                                      pace, work, polled);
                    const auto n = static_cast<double>(count);
                    costs.t = took.computation / (n * bytes);
                    simulate::StreamPlay play(costs);
                    play.messages(bytes, n);
                    return (took.total - play.consumed()) / (n - 1);
                });
                return pair_.share(std::clamp(1 - stalled.median / wire_time, 0.0, 1.0));
            };
            // Some transports need more than two in flight to keep going, others let all that are
            // in flight share the wire, so that each comes late. More still where two cannot cover
            // the way there and back.
            const double way = 2 * profile_.loggp.L + profile_.loggp.o_s + profile_.loggp.o_r;
            int window = static_cast<int>(std::clamp(2 + way / wire_time, 2.0, 64.0));
            if (pace > 0) window = 64;  // the sender alone says when a message goes
            double unattended = hidden(window, false);
            const auto stalls = [&] { return unattended < advancing && !simulated_time; };
            if (stalls()) {
                if (const double more = hidden(4 * window, false); more > unattended) {
                    unattended = more;
                    window *= 4;
                }
            }
            table.sizes.push_back(size);
            table.window.push_back(window);
            table.polled.push_back(stalls() ? hidden(window, true) : unattended);
            table.unattended.push_back(unattended);
            table.poll_interval = Work::block_seconds;
        }
    }

    /// Messages of a flood: enough to be timed, not so many that the wire is busy for too long.
    [[nodiscard]] std::uint64_t flood_count(std::uint64_t size) const {
        const double each = std::max(wire(size), 1e-6);
        return static_cast<std::uint64_t>(std::clamp(options_.longest / 3 / each, 4.0, 64.0));
    }

    void bandwidth() {
        auto& table = profile_.bandwidth;
        table.sizes = sizes_;
        for (std::size_t i = 0; i < sizes_.size(); ++i) {
            const std::uint64_t size = sizes_[i];
            const std::uint64_t count = flood_count(size);
            const auto one =
                measure([&] { return flood_gap(pair_, buffers_.back(), size, count); });
            const auto two =
                measure([&] { return flood_gap(pair_, buffers_.back(), size, count, true); });
            const auto bytes = static_cast<double>(size);
            const double floor = 1e-12;
            table.unidirectional.push_back(bytes / std::max(one.median, floor));
            table.bidirectional.push_back(2 * bytes / std::max(two.median, floor));
            if (i == 0) {
                profile_.loggp.g = std::max(one.median, 0.0);
                profile_.error.g = one.error;
            }
            if (i + 1 == sizes_.size()) {
                profile_.loggp.G = one.median / bytes;
                profile_.error.G = one.error;
            }
            report(0.5 + 0.2 * static_cast<double>(i + 1) / static_cast<double>(sizes_.size()),
                   "bandwidth");
        }
    }

    void loggp() {
        auto& p = profile_.loggp;
        auto& error = profile_.error;
        const std::uint64_t large = sizes_.back();
        const auto bytes = static_cast<double>(large);
        const double o_s = profile_.overhead.send.back().front();
        const double o_r = receive_line_(bytes);
        // Where a processor takes longer over a byte than the wire, the flood runs at the
        // processor's pace and the wire shows only in what a single message takes on top.
        // Where messages share the wire they arrive together, and the flood ends with the receiver
        // taking them up one by one.
        const bool processor_bound =
            std::max(o_s, o_r) > 0.9 * p.G * bytes || profile_.nic == Nic::sharing;
        if (pair_.share(processor_bound ? 1 : 0) != 0 && sizes_.size() > 1) {
            const std::size_t before = sizes_.size() - 2;
            const std::uint64_t smaller = sizes_[before];
            const auto more =
                measure([&] { return half_round_trip(pair_, buffers_.back(), large); });
            const auto less =
                measure([&] { return half_round_trip(pair_, buffers_.back(), smaller); });
            const double overheads = o_s - profile_.overhead.send[before].front() + o_r -
                                     receive_line_(static_cast<double>(smaller));
            const double wire_alone =
                (more.median - less.median - overheads) / (bytes - static_cast<double>(smaller));
            if (wire_alone > 0) p.G = std::min(p.G, wire_alone);
            error.G = std::max(more.error, less.error);
        }
        const auto small = sizes_.front();
        const auto trip = measure([&] { return half_round_trip(pair_, buffers_.back(), small); });
        p.L = std::max(0.0, trip.median - p.o_s - p.o_r - p.G * static_cast<double>(small));
        if (p.L > 0) {
            error.L = (trip.error * trip.median + error.o_s * p.o_s + error.o_r * p.o_r) / p.L;
        }
    }

    /// Two messages at once: the first arrives as soon as alone on a wire that takes them in order,
    /// and with the second on one that shares its bandwidth among them. Long enough for the second
    /// to be sent while the first is on the wire, short enough for MPI not to take turns as it
    /// likes.
    void interface() {
        constexpr std::uint64_t shortest = 16384;
        std::uint64_t size = sizes_.back();
        for (std::size_t i = sizes_.size(); i-- > 0 && sizes_[i] >= shortest;) {
            const double overhead = profile_.overhead.send[i].back();
            if (i + 1 < sizes_.size() && wire(sizes_[i]) < 8 * overhead) break;
            size = sizes_[i];
        }
        size = static_cast<std::uint64_t>(pair_.share(static_cast<double>(size)));
        const auto one = measure([&] { return flood(pair_, buffers_.back(), size, 1); });
        const auto first = measure([&] { return flood_first(size); });
        const auto both = measure([&] { return flood(pair_, buffers_.back(), size, 2); });
        const bool sharing = first.median - one.median > 0.5 * (both.median - one.median);
        profile_.nic = pair_.share(sharing ? 1 : 0) != 0 ? Nic::sharing : Nic::serialising;
    }

    void find_queue_depth() {
        const std::uint64_t size = sizes_[std::min<std::size_t>(3, sizes_.size() - 1)];
        const auto burst =
            static_cast<std::size_t>(std::clamp(options_.longest / std::max(wire(size), 1e-9), 16.0,
                                                static_cast<double>(options_.deepest_queue)));
        std::vector<std::vector<double>> repeated(burst);
        std::vector<double> times(burst);
        for (int i = 0; i < (simulated_time ? 1 : 9); ++i) {
            pair_.breathe();
            initiation(pair_, buffers_.back(), size, times);
            for (std::size_t k = 0; k < burst; ++k) repeated[k].push_back(times[k]);
        }
        for (std::size_t k = 0; k < burst; ++k) times[k] = median(repeated[k]);
        profile_.queue_depth = queue_depth(times);
        if (!profile_.queue_depth) {
            profile_.queue_depth_reason = "initiating messages of " + std::to_string(size) +
                                          " bytes did not slow down up to " +
                                          std::to_string(burst) + " outstanding";
        }
    }

    /// Seconds until the first of two messages has arrived.
    double flood_first(std::uint64_t size) {
        T& transport = pair_.transport();
        std::vector<typename T::Request> requests;
        auto& buffers = buffers_.back();
        for (int i = 0; i < 2 && pair_.first(); ++i)
            requests.push_back(transport.receive(
                buffers.in.data() + static_cast<std::size_t>(i) * size, size, pair_.peer(), i));
        const double start = pair_.start_together();
        for (int i = 0; i < 2 && !pair_.first(); ++i)
            requests.push_back(transport.send(buffers.out.data(), size, pair_.peer(), i));
        requests.front().wait();
        const double time = transport.now() - start;
        requests.back().wait();
        return time;
    }

    Pair<T>& pair_;
    CalibrationOptions options_;
    double pass_;
    /// A message size at which this share of the transfer is hidden advances by itself.
    static constexpr double advancing = 0.9;

    double rough_L_ = 0;
    double rough_G_ = 0;
    std::vector<std::uint64_t> sizes_;
    std::vector<Buffers> buffers_;
    Line receive_line_;
    Profile profile_;
    Disturbance disturbance_;
};

}  // namespace lapwing

#pragma once

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "lapwing/calibrate/benchmarks/traffic_buffer.hpp"
#include "lapwing/calibrate/parts/pattern.hpp"
#include "lapwing/calibrate/ranks/rank_group.hpp"
#include "lapwing/calibrate/sampling/sampler.hpp"
#include "lapwing/calibrate/sampling/status.hpp"
#include "lapwing/calibrate/statistics/estimate.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// What to measure with many ranks at once.
struct PatternOptions {
    SamplingGoal goal;
    std::vector<int> processes;  ///< P, each from 2 to all ranks, increasing
    std::vector<std::uint64_t> sizes = {4096, 65536, 1048576};
    double seconds = 5;    ///< for all of it
    double longest = 0.5;  ///< seconds that one sample may take; larger sizes are left out
};

/// Measures G(pattern, P, S) on the first P ranks of a group, for all patterns, numbers of
/// processes and sizes. All ranks call `run`; rank 0 has the result. Where P takes time in
/// simulation only the messages do: a sample is exact and one is enough.
///
/// A sample is a flood: every sender keeps a window of messages under way to receivers that have
/// posted all. A receiver takes the time from the common start to the last arrival, of each sender
/// that it has. A short flood is subtracted from a long one, so that start, latency and the
/// overheads at the end cancel and seconds per byte of the steady state are left.
class Patterns {
  public:
    /// `rough_G`: seconds per byte of one pair, about, on rank 0.
    Patterns(RankGroup& group, const PatternOptions& options, double rough_G, StatusCallback report)
        : group_(group),
          options_(options),
          rough_G_(group.broadcast(rough_G)),
          report_(std::move(report)) {}

    /// The result is rank 0's.
    std::vector<PatternCosts> run() {
        std::vector<PatternCosts> result;
        std::size_t bytes = 0;
        for (const TrafficPattern traffic : all_traffic) {
            PatternCosts costs;
            costs.pattern = name(traffic);
            costs.processes = options_.processes;
            costs.sizes = affordable(traffic);
            const std::size_t rows = costs.processes.size();
            const std::size_t columns = costs.sizes.size();
            for (auto* const table : {&costs.slowest, &costs.fastest, &costs.fairness})
                table->assign(rows, std::vector<double>(columns));
            entries_ += static_cast<int>(rows * columns);
            for (const auto size : costs.sizes)
                bytes = std::max(bytes, static_cast<std::size_t>(size) * window(traffic, size));
            result.push_back(costs);
        }
        buffer_.emplace_back(simulated_time ? options_.sizes.back() : bytes);
        start_ = now();
        // The most first: who is not needed any more is free to go.
        for (std::size_t row = options_.processes.size(); row-- > 0;) {
            if (!group_.keep(options_.processes[row])) return {};
            for (std::size_t i = 0; i < result.size(); ++i) {
                for (std::size_t column = 0; column < result[i].sizes.size(); ++column) {
                    report(result[i].pattern, options_.processes[row]);
                    const Rates rates = measure(all_traffic[i], result[i].sizes[column]);
                    result[i].slowest[row][column] = rates.slowest;
                    result[i].fastest[row][column] = rates.fastest;
                    result[i].fairness[row][column] = rates.fairness;
                    ++done_;
                }
            }
        }
        return result;
    }

    [[nodiscard]] const NoiseCounts& noise() const { return noise_; }

  private:
    struct Rates {
        double slowest = 0;  ///< seconds per byte
        double fastest = 0;
        double fairness = 1;
    };

    /// Messages that a sender keeps under way: two at least, and a quarter of a megabyte or eight.
    static std::size_t window(TrafficPattern traffic, std::uint64_t size) {
        // Among all, a few for each rank fill every link.
        const std::uint64_t most = traffic == TrafficPattern::alltoall ? 3 : 8;
        return static_cast<std::size_t>(std::clamp<std::uint64_t>((1 << 18) / size, 2, most));
    }
    /// Messages of the long flood beyond those of the short one, which is a window.
    [[nodiscard]] std::size_t more(TrafficPattern traffic, std::uint64_t size,
                                   int processes) const {
        const std::size_t count = worth_timing(traffic, size, 2 * window(traffic, size));
        if (traffic != TrafficPattern::alltoall) return count;
        // Every partner as often as any other.
        const auto others = static_cast<std::size_t>(processes - 1);
        return (count + others - 1) / others * others;
    }
    /// Messages, `least` at the least, that take long enough to be timed well.
    [[nodiscard]] std::size_t worth_timing(TrafficPattern traffic, std::uint64_t size,
                                           std::size_t least) const {
        if constexpr (simulated_time) {
            // Where messages queue for a link, a pair comes a few places sooner or later at the end
            // of one flood than of the other: many messages make that little.
            if (traffic == TrafficPattern::gather || traffic == TrafficPattern::alltoall)
                return least;
            return std::max<std::size_t>(2 * least, 32);
        } else {
            constexpr double enough = 2e-3;  // seconds
            const double each = std::max(rough_G_ * static_cast<double>(size), 1e-6);
            return std::clamp<std::size_t>(static_cast<std::size_t>(enough / each), least, 64);
        }
    }
    /// The sizes of which one sample takes no longer than it may. There is always one. Simulated
    /// messages take time to simulate, and that is what copying them takes.
    [[nodiscard]] std::vector<std::uint64_t> affordable(TrafficPattern traffic) const {
        const int processes = options_.processes.back();
        const bool gather = traffic == TrafficPattern::gather;
        constexpr double copying = 0.1e-9;  // seconds a byte, about
        const auto takes = [&](std::uint64_t size) {
            const auto count = 2 * window(traffic, size) + more(traffic, size, processes);
            const auto bytes = static_cast<double>(count * size);
            if (simulated_time) return bytes * processes * copying;
            return bytes * (gather ? processes - 1 : 1) * rough_G_;
        };
        std::vector<std::uint64_t> sizes = options_.sizes;
        while (sizes.size() > 1 && takes(sizes.back()) > options_.longest) sizes.pop_back();
        return sizes;
    }

    /// Seconds from the common start to the last arrival: of each rank that sends to this one, or,
    /// in an all-to-all, of all of them together. Each sender sends `count` messages.
    std::vector<double> flood(TrafficPattern traffic, const Partners& partners, std::uint64_t size,
                              std::size_t count) {
        const bool each = traffic == TrafficPattern::gather;
        const std::size_t arrivals =
            partners.from.empty() ? 0 : count * (each ? partners.from.size() : 1);
        const std::size_t sends = partners.to.empty() ? 0 : count;
        const std::size_t ahead = std::min(sends, window(traffic, size));
        const auto bytes = static_cast<int>(size);
        MPI_Comm communicator = group_.communicator();
        auto& buffer = buffer_.back();

        // First what goes out, a window of it, then what comes in.
        std::vector<MPI_Request> requests(ahead + arrivals, MPI_REQUEST_NULL);
        for (std::size_t i = 0; i < arrivals; ++i) {
            const int from = partners.from[i % partners.from.size()];
            check_mpi(MPI_Irecv(buffer.in(i, size), bytes, MPI_BYTE, from, 0, communicator,
                                &requests[ahead + i]),
                      "MPI_Irecv", from);
        }
        std::size_t sent = 0;
        const auto send = [&](std::size_t slot) {
            const int to = partners.to[sent % partners.to.size()];
            check_mpi(MPI_Isend(buffer.out(sent, size), bytes, MPI_BYTE, to, 0, communicator,
                                &requests[slot]),
                      "MPI_Isend", to);
            ++sent;
        };
        std::vector<double> times(arrivals == 0 ? 0 : arrivals / count);
        const double start = group_.start_together();
        for (std::size_t slot = 0; slot < ahead; ++slot) send(slot);
        for (std::size_t left = sends + arrivals; left > 0; --left) {
            int index = 0;
            check_mpi(MPI_Waitany(static_cast<int>(requests.size()), requests.data(), &index,
                                  MPI_STATUS_IGNORE),
                      "MPI_Waitany");
            const auto which = static_cast<std::size_t>(index);
            if (which >= ahead) {
                times[(which - ahead) % times.size()] = now() - start;
            } else if (sent < sends) {
                send(which);
            }
        }
        return times;
    }

    Rates measure(TrafficPattern traffic, std::uint64_t size) {
        const int processes = group_.size();
        const Partners mine = partners(traffic, group_.rank(), processes);
        const std::size_t few = window(traffic, size);
        const std::size_t extra = more(traffic, size, processes);
        const auto bytes = static_cast<double>(extra * size);
        const auto all_bytes = static_cast<double>((few + extra) * size);
        const int least = simulated_time ? 1 : 5;
        const double budget =
            std::max(0.0, options_.seconds - (now() - start_)) / std::max(1, entries_ - done_);
        const double start = now();

        std::vector<std::vector<double>> samples;  // [pair][repetition], seconds per byte
        for (bool again = true; again;) {
            for (int i = 0; i < least; ++i) {
                const auto shorter = flood(traffic, mine, size, few);
                const auto longer = flood(traffic, mine, size, few + extra);
                samples.resize(longer.size());
                for (std::size_t pair = 0; pair < longer.size(); ++pair) {
                    // Where a disturbance took longer than all messages, the whole must serve.
                    const double steady = (longer[pair] - shorter[pair]) / bytes;
                    samples[pair].push_back(steady > 0 ? steady : longer[pair] / all_bytes);
                }
            }
            double error = 0;
            for (const auto& pair : samples) error = std::max(error, estimate(pair).error);
            const bool reached = group_.max(error) <= options_.goal.accuracy;
            const bool spent = group_.broadcast(now() - start > budget ? 1 : 0) != 0;
            again = !reached && !spent;
            if (!again && !reached) ++noise_.missed;
        }
        return combined(samples);
    }

    /// What all ranks' pairs come to.
    Rates combined(const std::vector<std::vector<double>>& samples) {
        double slowest = 0;
        double fastest = std::numeric_limits<double>::max();
        double sum = 0;
        double squares = 0;
        double taken = 0;
        double dropped = 0;
        for (const auto& pair : samples) {
            const Estimate found = estimate(pair);
            const double G = found.median;
            slowest = std::max(slowest, G);
            fastest = std::min(fastest, G);
            sum += 1 / G;
            squares += 1 / (G * G);
            taken += static_cast<double>(pair.size());
            dropped += static_cast<double>(found.dropped);
        }
        Rates rates;
        rates.slowest = group_.max(slowest);
        rates.fastest = -group_.max(-fastest);
        const double pairs = group_.sum(static_cast<double>(samples.size()));
        sum = group_.sum(sum);
        rates.fairness = fairness(pairs, sum, group_.sum(squares));
        noise_.samples += static_cast<std::size_t>(group_.sum(taken));
        noise_.dropped += static_cast<std::size_t>(group_.sum(dropped));
        return rates;
    }

    void report(const std::string& pattern, int processes) {
        if (group_.rank() == 0 && report_)
            report_(static_cast<double>(done_) / std::max(1, entries_),
                    pattern + ", " + std::to_string(processes) + " processes");
    }

    RankGroup& group_;
    PatternOptions options_;
    double rough_G_;
    StatusCallback report_;
    std::vector<TrafficBuffer> buffer_;
    NoiseCounts noise_;
    double start_ = 0;
    int entries_ = 0;
    int done_ = 0;
};

/// Fills `profile.patterns` on rank 0 of `communicator`, whose ranks all call this; rank 0's
/// `profile` has G already. Those that a number of processes leaves out come back early.
inline void measure_patterns(MPI_Comm communicator, const PatternOptions& options, Profile& profile,
                             NoiseCounts& noise, StatusCallback report = {}) {
    RankGroup group(communicator);
    Patterns patterns(group, options, profile.loggp.G, std::move(report));
    profile.patterns = patterns.run();
    noise += patterns.noise();
}

}  // namespace lapwing

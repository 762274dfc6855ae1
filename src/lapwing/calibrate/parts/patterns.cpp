#include "lapwing/calibrate/parts/patterns.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>

#include "lapwing/calibrate/benchmarks/traffic_buffer.hpp"
#include "lapwing/calibrate/benchmarks/traffic_pattern.hpp"
#include "lapwing/calibrate/ranks/rank_group.hpp"
#include "lapwing/calibrate/statistics/estimate.hpp"
#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/clock.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing {
namespace {

/// Seconds per byte, of the slowest and of the fastest pair, and Jain's index.
struct PairRates {
    double slowest = 0;
    double fastest = 0;
    double fairness = 1;
};

/// Seconds per byte of each pair that this rank receives in: [pair][repetition].
using PairSamples = std::vector<std::vector<double>>;

class PatternMeasurement {
  public:
    /// `rough_G`: seconds per byte of one pair, about, on rank 0.
    PatternMeasurement(RankGroup& group, const PatternOptions& options, double rough_G,
                       NoiseCounts& noise, const StatusCallback& status)
        : group_(group),
          options_(options),
          rough_G_(group.broadcast(rough_G)),
          noise_(noise),
          status_(status) {}

    /// The result is rank 0's.
    std::vector<PatternCosts> run();

  private:
    [[nodiscard]] PatternCosts prepare(TrafficPattern traffic);
    [[nodiscard]] std::size_t buffer_bytes(const std::vector<PatternCosts>& all) const;
    [[nodiscard]] std::size_t more(TrafficPattern traffic, std::uint64_t size, int processes) const;
    [[nodiscard]] std::size_t worth_timing(TrafficPattern traffic, std::uint64_t size,
                                           std::size_t least) const;
    [[nodiscard]] std::vector<std::uint64_t> affordable(TrafficPattern traffic) const;

    PairRates measure(TrafficPattern traffic, std::uint64_t size);
    PairRates combined(const PairSamples& samples);
    std::vector<double> flood(TrafficPattern traffic, const Partners& partners, std::uint64_t size,
                              std::size_t count);
    std::vector<MPI_Request> post(const Partners& partners, std::uint64_t size, std::size_t ahead,
                                  std::size_t arrivals);
    void report(const std::string& pattern, int processes);

    RankGroup& group_;
    const PatternOptions& options_;
    double rough_G_;
    NoiseCounts& noise_;
    const StatusCallback& status_;
    std::optional<TrafficBuffer> buffer_;
    double start_ = 0;
    int entries_ = 0;  ///< of all tables
    int done_ = 0;
};

/// Messages that a sender keeps under way: two at least, and a quarter of a megabyte or eight.
std::size_t window(TrafficPattern traffic, std::uint64_t size) {
    // In an all-to-all a few for each rank fill every link.
    const std::uint64_t most = traffic == TrafficPattern::alltoall ? 3 : 8;
    return static_cast<std::size_t>(std::clamp<std::uint64_t>((1 << 18) / size, 2, most));
}

std::vector<PatternCosts> PatternMeasurement::run() {
    std::vector<PatternCosts> result;
    result.reserve(all_traffic.size());
    for (const TrafficPattern traffic : all_traffic) result.push_back(prepare(traffic));
    buffer_.emplace(simulated_time ? options_.sizes.back() : buffer_bytes(result));
    start_ = now();
    // The largest number of processes first: ranks that are not needed any more may go.
    for (std::size_t row = options_.processes.size(); row-- > 0;) {
        if (!group_.keep(options_.processes[row])) return {};
        for (std::size_t i = 0; i < result.size(); ++i) {
            for (std::size_t column = 0; column < result[i].sizes.size(); ++column) {
                report(result[i].pattern, options_.processes[row]);
                const PairRates rates = measure(all_traffic[i], result[i].sizes[column]);
                result[i].slowest[row][column] = rates.slowest;
                result[i].fastest[row][column] = rates.fastest;
                result[i].fairness[row][column] = rates.fairness;
                ++done_;
            }
        }
    }
    return result;
}

/// A table with nothing in it yet.
PatternCosts PatternMeasurement::prepare(TrafficPattern traffic) {
    PatternCosts costs;
    costs.pattern = name(traffic);
    costs.processes = options_.processes;
    costs.sizes = affordable(traffic);
    const std::size_t rows = costs.processes.size();
    const std::size_t columns = costs.sizes.size();
    for (auto* const table : {&costs.slowest, &costs.fastest, &costs.fairness})
        table->assign(rows, std::vector<double>(columns));
    entries_ += static_cast<int>(rows * columns);
    return costs;
}

std::size_t PatternMeasurement::buffer_bytes(const std::vector<PatternCosts>& all) const {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const auto size : all[i].sizes)
            bytes = std::max(bytes, static_cast<std::size_t>(size) * window(all_traffic[i], size));
    return bytes;
}

/// Messages of the long flood beyond those of the short one, which is a window.
std::size_t PatternMeasurement::more(TrafficPattern traffic, std::uint64_t size,
                                     int processes) const {
    const std::size_t count = worth_timing(traffic, size, 2 * window(traffic, size));
    if (traffic != TrafficPattern::alltoall) return count;
    // Every partner as often as any other.
    const auto others = static_cast<std::size_t>(processes - 1);
    return (count + others - 1) / others * others;
}

/// How many messages, `least` at the least, take long enough to be timed well.
std::size_t PatternMeasurement::worth_timing(TrafficPattern traffic, std::uint64_t size,
                                             std::size_t least) const {
    if constexpr (simulated_time) {
        // Where messages queue for a link, a pair may come a few places sooner or later at the end
        // of one flood than of the other: with many messages that matters little.
        if (traffic == TrafficPattern::gather || traffic == TrafficPattern::alltoall) return least;
        return std::max<std::size_t>(2 * least, 32);
    } else {
        constexpr double enough = 2e-3;  // seconds
        const double each = std::max(rough_G_ * static_cast<double>(size), 1e-6);
        return std::clamp<std::size_t>(static_cast<std::size_t>(enough / each), least, 64);
    }
}

/// The sizes of which one sample takes no longer than it may; one at least. Simulated messages take
/// time to simulate: that of copying them.
std::vector<std::uint64_t> PatternMeasurement::affordable(TrafficPattern traffic) const {
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

/// Requests of a flood: `ahead` empty ones for sends, then `arrivals` receives, which this posts.
std::vector<MPI_Request> PatternMeasurement::post(const Partners& partners, std::uint64_t size,
                                                  std::size_t ahead, std::size_t arrivals) {
    std::vector<MPI_Request> requests(ahead + arrivals, MPI_REQUEST_NULL);
    for (std::size_t i = 0; i < arrivals; ++i) {
        const int from = partners.from[i % partners.from.size()];
        check_mpi(MPI_Irecv(buffer_->in(i, size), static_cast<int>(size), MPI_BYTE, from, 0,
                            group_.communicator(), &requests[ahead + i]),
                  "MPI_Irecv", from);
    }
    return requests;
}

/// Seconds from the common start to the last arrival: of each rank that sends to this one in a
/// gather, of all of them together otherwise. Each sender sends `count` messages.
std::vector<double> PatternMeasurement::flood(TrafficPattern traffic, const Partners& partners,
                                              std::uint64_t size, std::size_t count) {
    const bool each = traffic == TrafficPattern::gather;
    const std::size_t arrivals =
        partners.from.empty() ? 0 : count * (each ? partners.from.size() : 1);
    const std::size_t sends = partners.to.empty() ? 0 : count;
    const std::size_t ahead = std::min(sends, window(traffic, size));
    std::vector<MPI_Request> requests = post(partners, size, ahead, arrivals);
    std::size_t sent = 0;
    const auto send = [&](std::size_t slot) {
        const int to = partners.to[sent % partners.to.size()];
        check_mpi(MPI_Isend(buffer_->out(sent, size), static_cast<int>(size), MPI_BYTE, to, 0,
                            group_.communicator(), &requests[slot]),
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

/// Samples one entry of a table until it is known well enough or its share of the time is over.
PairRates PatternMeasurement::measure(TrafficPattern traffic, std::uint64_t size) {
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

    PairSamples samples;
    for (bool again = true; again;) {
        for (int i = 0; i < least; ++i) {
            const auto shorter = flood(traffic, mine, size, few);
            const auto longer = flood(traffic, mine, size, few + extra);
            samples.resize(longer.size());
            for (std::size_t pair = 0; pair < longer.size(); ++pair) {
                // If a disturbance took longer than all messages, the whole flood must serve.
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

/// What the samples of all ranks come to. All ranks call it.
PairRates PatternMeasurement::combined(const PairSamples& samples) {
    double slowest = 0;
    double fastest = std::numeric_limits<double>::max();
    double sum = 0;      // of bandwidths
    double squares = 0;  // of bandwidths
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
    PairRates rates;
    rates.slowest = group_.max(slowest);
    rates.fastest = -group_.max(-fastest);
    const double pairs = group_.sum(static_cast<double>(samples.size()));
    sum = group_.sum(sum);
    rates.fairness = fairness(pairs, sum, group_.sum(squares));
    noise_.samples += static_cast<std::size_t>(group_.sum(taken));
    noise_.dropped += static_cast<std::size_t>(group_.sum(dropped));
    return rates;
}

void PatternMeasurement::report(const std::string& pattern, int processes) {
    if (group_.rank() == 0 && status_)
        status_(static_cast<double>(done_) / std::max(1, entries_),
                pattern + ", " + std::to_string(processes) + " processes");
}

}  // namespace

void measure_patterns(MPI_Comm communicator, const PatternOptions& options, Profile& profile,
                      NoiseCounts& noise, const StatusCallback& status) {
    RankGroup group(communicator);
    profile.patterns = PatternMeasurement(group, options, profile.loggp.G, noise, status).run();
}

}  // namespace lapwing

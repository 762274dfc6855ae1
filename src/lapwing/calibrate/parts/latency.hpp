#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "lapwing/calibrate/sampling/campaign.hpp"
#include "lapwing/calibrate/statistics/refine_sizes.hpp"
#include "lapwing/compute/page_vector.hpp"
#include "lapwing/profile/latency.hpp"
#include "lapwing/transport/mpi/byte_type.hpp"
#include "lapwing/transport/mpi/communicator.hpp"

namespace lapwing {

/// Measures what the usual benchmarks print, in their way: one buffer for all messages, blocking
/// calls in the ping-pong, messages that begin with a page, windows of 64 non-blocking messages
/// answered by a short one.
template <Transport T>
class LatencyMeasurement {
  public:
    /// `ranks`: two, of which rank 0 is `pair`'s first. `sizes` in bytes; `bends`: more of them
    /// where time is no straight line. `longest` seconds that one window may take: fewer than 64
    /// messages where they would take longer.
    LatencyMeasurement(TransportPair<T>& pair, MPI_Comm ranks, std::vector<std::uint64_t> sizes,
                       bool bends, double longest)
        : pair_(pair),
          ranks_(ranks),
          peer_(1 - ranks_.rank()),
          sizes_(std::move(sizes)),
          bends_(bends),
          longest_(longest),
          out_(sizes_.back()),
          in_(sizes_.back()) {}

    /// In about `seconds`; the result is rank 0's.
    Latency run(const SamplingGoal& goal, double seconds, NoiseCounts& noise,
                const StatusCallback& report) {
        look_into_bends();
        const std::size_t count = sizes_.size();
        std::vector<Series> trips(count);
        std::vector<Series> rates(count);
        Campaign<T> all(pair_, goal, seconds, noise, report);
        const double visit =
            std::clamp(seconds / (10.0 * static_cast<double>(count)), 0.2e-3, 5e-3);
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t size = sizes_[i];
            half_round_trip(size, 5);
            const double trip = pair_.from_first(half_round_trip(size, 5));
            const int times = repetitions(visit, 2 * trip);
            all.add("half round trip", {&trips[i]},
                    [this, &trips, i, size, times] { trips[i].add(half_round_trip(size, times)); });
            const int window = static_cast<int>(std::clamp(longest_ / trip, 4.0, 64.0));
            const double one = pair_.from_first(window_rate(size, window, 1));
            const int windows = repetitions(visit, window * static_cast<double>(size) / one);
            all.add("windows of messages", {&rates[i]}, [this, &rates, i, size, window, windows] {
                rates[i].add(window_rate(size, window, windows));
            });
        }
        all.run();
        Latency latency;
        latency.sizes = sizes_;
        for (std::size_t i = 0; i < count; ++i) {
            latency.half_round_trip.push_back(trips[i].median());
            latency.bandwidth.push_back(rates[i].median());
        }
        return latency;
    }

  private:
    /// Sizes more where half a round trip is no straight line. What bends in simulated time jumps,
    /// where protocols switch, and is looked for there.
    void look_into_bends() {
        if (simulated_time || !bends_) return;
        constexpr double long_enough = 2e-3;
        constexpr int tries = 3;
        constexpr std::uint64_t unit = 64;
        sizes_ = refine_where_nonlinear(sizes_, unit, longest_, [&](std::uint64_t size) {
            const double once = pair_.from_first(half_round_trip(size, 2));
            const int times = repetitions(long_enough, 2 * once);
            double least = half_round_trip(size, times);
            for (int i = 1; i < tries; ++i) least = std::min(least, half_round_trip(size, times));
            return pair_.from_first(least);
        });
    }

    static int repetitions(double visit, double seconds) {
        return std::max(2, lapwing::repetitions(seconds, visit, 1000));
    }

    /// Half a blocking round trip, mean of `times`, seconds. The first one brings the ranks into
    /// step and does not count.
    double half_round_trip(std::uint64_t size, int times) {
        const ByteType data(size);
        double start = 0;
        for (int i = 0; i <= times; ++i) {
            if (i == 1) start = now();
            if (pair_.first()) send(data);
            receive(data);
            if (!pair_.first()) send(data);
        }
        return (now() - start) / (2 * times);
    }
    void send(const ByteType& data) {
        check_mpi(MPI_Send(out_.data(), data.count(), data.type(), peer_, 0, ranks_.get()),
                  "MPI_Send", peer_);
    }
    void receive(const ByteType& data) {
        check_mpi(MPI_Recv(in_.data(), data.count(), data.type(), peer_, 0, ranks_.get(),
                           MPI_STATUS_IGNORE),
                  "MPI_Recv", peer_);
    }

    /// Bytes a second from rank 0 to rank 1 in windows of `window` messages, mean of `times`.
    double window_rate(std::uint64_t size, int window, int times) {
        const ByteType data(size);
        requests_.assign(static_cast<std::size_t>(window), MPI_REQUEST_NULL);
        double start = 0;
        for (int i = 0; i <= times; ++i) {
            if (i == 1) start = now();
            for (auto& request : requests_) {
                if (pair_.first()) {
                    check_mpi(MPI_Isend(out_.data(), data.count(), data.type(), peer_, 1,
                                        ranks_.get(), &request),
                              "MPI_Isend", peer_);
                } else {
                    check_mpi(MPI_Irecv(in_.data(), data.count(), data.type(), peer_, 1,
                                        ranks_.get(), &request),
                              "MPI_Irecv", peer_);
                }
            }
            check_mpi(MPI_Waitall(window, requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall",
                      peer_);
            const ByteType answer(answer_bytes);
            if (pair_.first()) {
                receive(answer);
            } else {
                send(answer);
            }
        }
        return static_cast<double>(size) * window * times / std::max(now() - start, 1e-12);
    }

    static constexpr std::uint64_t answer_bytes = 4;

    TransportPair<T>& pair_;
    Communicator ranks_;
    int peer_;
    std::vector<std::uint64_t> sizes_;
    bool bends_;
    double longest_;
    PageVector<std::byte> out_;
    PageVector<std::byte> in_;
    std::vector<MPI_Request> requests_;
};

}  // namespace lapwing

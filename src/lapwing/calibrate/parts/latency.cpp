#include "lapwing/calibrate/parts/latency.hpp"

#include <algorithm>

#include "lapwing/calibrate/sampling/campaign.hpp"
#include "lapwing/calibrate/statistics/refine_sizes.hpp"
#include "lapwing/compute/page_vector.hpp"
#include "lapwing/transport/mpi/byte_type.hpp"
#include "lapwing/transport/mpi/communicator.hpp"

namespace lapwing {
namespace {

class LatencyMeasurement {
  public:
    LatencyMeasurement(Context& context, const LatencyOptions& options)
        : context_(context),
          pair_(context.pair),
          ranks_(context.ranks),
          peer_(1 - ranks_.rank()),
          sizes_(options.sizes),
          out_(sizes_.back()),
          in_(sizes_.back()) {
        if (options.refine) refine();
    }

    Latency run();

  private:
    void refine();
    void add_size(std::size_t i, double visit, Series& trips, Series& rates, Campaign& campaign);
    [[nodiscard]] double half_round_trip(std::uint64_t size, int times);
    [[nodiscard]] double window_rate(std::uint64_t size, int window, int times);
    void transfer_window(const ByteType& data);
    void send(const ByteType& data);
    void receive(const ByteType& data);

    static int times_in(double visit, double seconds) {
        return std::max(2, repetitions(seconds, visit, 1000));
    }

    Context& context_;
    TwoSidedPair& pair_;
    Communicator ranks_;
    int peer_;
    std::vector<std::uint64_t> sizes_;
    PageVector<std::byte> out_;
    PageVector<std::byte> in_;
    std::vector<MPI_Request> requests_;
};

/// Adds sizes where half a round trip is not a straight line. Not in simulated time: there what is
/// not straight jumps at protocol switches, which `measure_protocol` finds.
void LatencyMeasurement::refine() {
    if (simulated_time) return;
    constexpr double long_enough = 2e-3;  // seconds
    constexpr int tries = 3;
    constexpr std::uint64_t unit = 64;  // bytes
    sizes_ = refine_where_nonlinear(sizes_, unit, context_.longest, [&](std::uint64_t size) {
        const double once = pair_.from_first(half_round_trip(size, 2));
        const int times = times_in(long_enough, 2 * once);
        double least = half_round_trip(size, times);
        for (int i = 1; i < tries; ++i) least = std::min(least, half_round_trip(size, times));
        return pair_.from_first(least);
    });
}

Latency LatencyMeasurement::run() {
    const std::size_t count = sizes_.size();
    std::vector<Series> trips(count);
    std::vector<Series> rates(count);
    Campaign campaign(context_.sampling);
    const double visit = std::clamp(
        context_.sampling.goal.budget / (10.0 * static_cast<double>(count)), 0.2e-3, 5e-3);
    for (std::size_t i = 0; i < count; ++i) add_size(i, visit, trips[i], rates[i], campaign);
    campaign.run();
    return {sizes_, medians(trips), medians(rates)};
}

/// `visit`: seconds.
void LatencyMeasurement::add_size(std::size_t i, double visit, Series& trips, Series& rates,
                                  Campaign& campaign) {
    const std::uint64_t size = sizes_[i];
    static_cast<void>(half_round_trip(size, 5));
    const double trip = pair_.from_first(half_round_trip(size, 5));
    const int times = times_in(visit, 2 * trip);
    campaign.add("half round trip", {&trips},
                 [this, &trips, size, times] { trips.add(half_round_trip(size, times)); });
    const int window = static_cast<int>(std::clamp(context_.longest / trip, 4.0, 64.0));
    const double one = pair_.from_first(window_rate(size, window, 1));
    const int windows = times_in(visit, window * static_cast<double>(size) / one);
    campaign.add("windows of messages", {&rates}, [this, &rates, size, window, windows] {
        rates.add(window_rate(size, window, windows));
    });
}

/// Half a blocking round trip, the mean of `times`, seconds. The first brings the ranks into step
/// and does not count.
double LatencyMeasurement::half_round_trip(std::uint64_t size, int times) {
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

/// Bytes a second from rank 0 to rank 1 in windows of `window` messages, the mean of `times`.
double LatencyMeasurement::window_rate(std::uint64_t size, int window, int times) {
    const ByteType data(size);
    constexpr std::uint64_t answer_bytes = 4;
    const ByteType answer(answer_bytes);
    requests_.assign(static_cast<std::size_t>(window), MPI_REQUEST_NULL);
    double start = 0;
    for (int i = 0; i <= times; ++i) {
        if (i == 1) start = now();
        transfer_window(data);
        if (pair_.first()) {
            receive(answer);
        } else {
            send(answer);
        }
    }
    return static_cast<double>(size) * window * times / std::max(now() - start, 1e-12);
}

/// Sends as many messages as there are requests, or receives them.
void LatencyMeasurement::transfer_window(const ByteType& data) {
    for (auto& request : requests_) {
        if (pair_.first()) {
            check_mpi(
                MPI_Isend(out_.data(), data.count(), data.type(), peer_, 1, ranks_.get(), &request),
                "MPI_Isend", peer_);
        } else {
            check_mpi(
                MPI_Irecv(in_.data(), data.count(), data.type(), peer_, 1, ranks_.get(), &request),
                "MPI_Irecv", peer_);
        }
    }
    check_mpi(
        MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
        "MPI_Waitall", peer_);
}

void LatencyMeasurement::send(const ByteType& data) {
    check_mpi(MPI_Send(out_.data(), data.count(), data.type(), peer_, 0, ranks_.get()), "MPI_Send",
              peer_);
}

void LatencyMeasurement::receive(const ByteType& data) {
    check_mpi(
        MPI_Recv(in_.data(), data.count(), data.type(), peer_, 0, ranks_.get(), MPI_STATUS_IGNORE),
        "MPI_Recv", peer_);
}

}  // namespace

void measure_latency(Context& context, const LatencyOptions& options, Profile& profile) {
    profile.latency = LatencyMeasurement(context, options).run();
}

}  // namespace lapwing

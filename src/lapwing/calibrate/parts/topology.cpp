#include "lapwing/calibrate/parts/topology.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "lapwing/calibrate/ranks/rank_group.hpp"
#include "lapwing/calibrate/statistics/find_leaf_switches.hpp"
#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/clock.hpp"
#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing {
namespace {

constexpr std::size_t flood_bytes = 262144;  // of a message of a flood
constexpr std::size_t flood_messages = 16;   // of a long flood
constexpr std::size_t short_flood_messages = 4;

class TopologyMeasurement {
  public:
    /// `nodes`: one rank of each node, in their order; all of them call `run`.
    TopologyMeasurement(MPI_Comm nodes, StatusCallback status)
        : group_(nodes), status_(std::move(status)), buffer_(flood_messages * flood_bytes) {}

    /// The result is rank 0's.
    Topology run();

  private:
    std::vector<double> half_round_trips();
    double half_round_trip(int other);
    double gap(int pairs, int distance);
    double flood(int pairs, int distance, std::size_t count);
    void send(int to, int size);
    void receive(int from, int size);

    RankGroup group_;
    StatusCallback status_;
    std::vector<std::byte> buffer_;
};

Topology TopologyMeasurement::run() {
    Topology topology = find_leaf_switches(half_round_trips());
    topology.below = static_cast<int>(group_.broadcast(topology.below));
    if (topology.below == group_.size()) return topology;
    if (group_.rank() == 0 && status_) status_(0.5, "links between leaf switches");
    const int pairs = std::min(topology.below, group_.size() - topology.below);
    const double one = gap(1, topology.below);
    const double all = gap(pairs, topology.below);
    topology.uplinks = std::clamp(static_cast<int>(std::lround(pairs * one / all)), 1, pairs);
    return topology;
}

/// From rank 0 to each other rank, seconds; rank 0's.
std::vector<double> TopologyMeasurement::half_round_trips() {
    std::vector<double> trips;
    for (int other = 1; other < group_.size(); ++other) {
        if (group_.rank() == 0 && status_)
            status_(0.5 * other / group_.size(), "how far the nodes are");
        trips.push_back(half_round_trip(other));
    }
    return trips;
}

/// The least of some, for disturbances take longer. The first may find its receiver not there yet.
double TopologyMeasurement::half_round_trip(int other) {
    constexpr int message = 8;  // bytes
    constexpr int tries = simulated_time ? 3 : 20;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < tries; ++i) {
        const double start = now();
        if (group_.rank() == 0) {
            send(other, message);
            receive(other, message);
        } else if (group_.rank() == other) {
            receive(0, message);
            send(0, message);
        }
        least = std::min(least, (now() - start) / 2);
    }
    return least;
}

/// Seconds that a message of a flood takes from each of the first `pairs` nodes to the node
/// `distance` after it, of the slowest pair: a long flood less a short one.
double TopologyMeasurement::gap(int pairs, int distance) {
    constexpr int tries = simulated_time ? 1 : 5;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < tries; ++i) {
        const double shorter = flood(pairs, distance, short_flood_messages);
        const double longer = flood(pairs, distance, flood_messages);
        if (longer > shorter)
            least = std::min(least, (longer - shorter) / (flood_messages - short_flood_messages));
    }
    return least;
}

double TopologyMeasurement::flood(int pairs, int distance, std::size_t count) {
    const int rank = group_.rank();
    const bool sends = rank < pairs;
    const bool receives = rank >= distance && rank < distance + pairs;
    constexpr auto bytes = static_cast<int>(flood_bytes);
    std::vector<MPI_Request> requests;
    for (std::size_t i = 0; receives && i < count; ++i)
        check_mpi(MPI_Irecv(buffer_.data() + i * flood_bytes, bytes, MPI_BYTE, rank - distance, 1,
                            group_.communicator(), &requests.emplace_back()),
                  "MPI_Irecv", rank - distance);
    const double start = group_.start_together();
    for (std::size_t i = 0; sends && i < count; ++i)
        check_mpi(MPI_Isend(buffer_.data() + i * flood_bytes, bytes, MPI_BYTE, rank + distance, 1,
                            group_.communicator(), &requests.emplace_back()),
                  "MPI_Isend", rank + distance);
    check_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
              "MPI_Waitall");
    return group_.max(receives ? now() - start : 0);
}

void TopologyMeasurement::send(int to, int size) {
    check_mpi(MPI_Send(buffer_.data(), size, MPI_BYTE, to, 0, group_.communicator()), "MPI_Send",
              to);
}

void TopologyMeasurement::receive(int from, int size) {
    check_mpi(
        MPI_Recv(buffer_.data(), size, MPI_BYTE, from, 0, group_.communicator(), MPI_STATUS_IGNORE),
        "MPI_Recv", from);
}

}  // namespace

void measure_topology(MPI_Comm communicator, const Nodes& nodes, const StatusCallback& status,
                      Profile& profile) {
    int rank = 0;
    check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
    constexpr int enough = 4;
    if (nodes.count() < enough) return;
    MPI_Comm leaders = MPI_COMM_NULL;
    check_mpi(MPI_Comm_split(communicator, nodes.leads(rank) ? 0 : MPI_UNDEFINED, rank, &leaders),
              "MPI_Comm_split");
    if (leaders == MPI_COMM_NULL) return;
    const Topology topology = TopologyMeasurement(leaders, status).run();
    if (rank == 0) profile.topology = topology;
    MPI_Comm_free(&leaders);
}

}  // namespace lapwing

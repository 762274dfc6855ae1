#pragma once

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "lapwing/calibrate/ranks/nodes.hpp"
#include "lapwing/calibrate/ranks/rank_group.hpp"
#include "lapwing/calibrate/sampling/status.hpp"
#include "lapwing/calibrate/statistics/find_leaf_switches.hpp"
#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/clock.hpp"
#include "lapwing/profile/profile.hpp"
#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing {

/// Finds out how nodes are connected, with one rank of each.
class TopologyMeasurement {
  public:
    /// `nodes`: one rank of each node, in their order; all of them call `run`.
    TopologyMeasurement(MPI_Comm nodes, StatusCallback report)
        : group_(nodes), report_(std::move(report)), buffer_(most * bytes) {}

    /// The result is rank 0's.
    Topology run() {
        Topology topology = find_leaf_switches(half_round_trips());
        topology.below = static_cast<int>(group_.broadcast(topology.below));
        if (topology.below == group_.size()) return topology;
        if (group_.rank() == 0 && report_) report_(0.5, "links between leaf switches");
        const int pairs = std::min(topology.below, group_.size() - topology.below);
        const double one = gap(1, topology.below);
        const double all = gap(pairs, topology.below);
        topology.uplinks = std::clamp(static_cast<int>(std::lround(pairs * one / all)), 1, pairs);
        return topology;
    }

  private:
    static constexpr std::size_t bytes = 262144;  ///< of a message of a flood
    static constexpr std::size_t most = 16;       ///< messages of a flood

    /// From rank 0 to each other, seconds; rank 0's. The least of some, for what disturbs takes
    /// longer.
    std::vector<double> half_round_trips() {
        constexpr int message = 8;
        // The first may find its receiver not there yet.
        constexpr int repetitions = simulated_time ? 3 : 20;
        std::vector<double> trips;
        for (int other = 1; other < group_.size(); ++other) {
            if (group_.rank() == 0 && report_)
                report_(0.5 * other / group_.size(), "how far the nodes are");
            double least = std::numeric_limits<double>::infinity();
            for (int i = 0; i < repetitions; ++i) {
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
            trips.push_back(least);
        }
        return trips;
    }
    void send(int to, int size) {
        check_mpi(MPI_Send(buffer_.data(), size, MPI_BYTE, to, 0, group_.communicator()),
                  "MPI_Send", to);
    }
    void receive(int from, int size) {
        check_mpi(MPI_Recv(buffer_.data(), size, MPI_BYTE, from, 0, group_.communicator(),
                           MPI_STATUS_IGNORE),
                  "MPI_Recv", from);
    }

    /// Seconds a message of a flood from each of the first `pairs` nodes to the one `distance`
    /// after it, of the slowest: a long flood less a short one.
    double gap(int pairs, int distance) {
        constexpr std::size_t few = 4;
        constexpr int repetitions = simulated_time ? 1 : 5;
        double least = std::numeric_limits<double>::infinity();
        for (int i = 0; i < repetitions; ++i) {
            const double shorter = flood(pairs, distance, few);
            const double longer = flood(pairs, distance, most);
            if (longer > shorter) least = std::min(least, (longer - shorter) / (most - few));
        }
        return least;
    }
    double flood(int pairs, int distance, std::size_t count) {
        const int rank = group_.rank();
        const bool sends = rank < pairs;
        const bool receives = rank >= distance && rank < distance + pairs;
        std::vector<MPI_Request> requests;
        for (std::size_t i = 0; receives && i < count; ++i)
            check_mpi(
                MPI_Irecv(buffer_.data() + i * bytes, static_cast<int>(bytes), MPI_BYTE,
                          rank - distance, 1, group_.communicator(), &requests.emplace_back()),
                "MPI_Irecv", rank - distance);
        const double start = group_.start_together();
        for (std::size_t i = 0; sends && i < count; ++i)
            check_mpi(
                MPI_Isend(buffer_.data() + i * bytes, static_cast<int>(bytes), MPI_BYTE,
                          rank + distance, 1, group_.communicator(), &requests.emplace_back()),
                "MPI_Isend", rank + distance);
        check_mpi(
            MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
            "MPI_Waitall");
        return group_.max(receives ? now() - start : 0);
    }

    RankGroup group_;
    StatusCallback report_;
    std::vector<std::byte> buffer_;
};

/// Fills `profile.topology` on rank 0 of `communicator`, whose ranks all call this, where there are
/// nodes enough to tell.
inline void measure_topology(MPI_Comm communicator, const Nodes& nodes, Profile& profile,
                             const StatusCallback& report) {
    int rank = 0;
    check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
    constexpr int enough = 4;
    if (nodes.count() < enough) return;
    MPI_Comm leaders = MPI_COMM_NULL;
    check_mpi(MPI_Comm_split(communicator, nodes.leads(rank) ? 0 : MPI_UNDEFINED, rank, &leaders),
              "MPI_Comm_split");
    if (leaders == MPI_COMM_NULL) return;
    const Topology topology = TopologyMeasurement(leaders, report).run();
    if (rank == 0) profile.topology = topology;
    MPI_Comm_free(&leaders);
}

}  // namespace lapwing

#include "lapwing/calibrate/parts/node_copy.hpp"

#include <vector>

#include "lapwing/calibrate/benchmarks/packed_copy.hpp"
#include "lapwing/calibrate/ranks/rank_group.hpp"
#include "lapwing/calibrate/statistics/collective_costs.hpp"
#include "lapwing/calibrate/statistics/estimate.hpp"
#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/clock.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing {
namespace {

constexpr int rounds = simulated_time ? 1 : 25;

/// Seconds that the slowest of the group's ranks takes for a copy, if the first `count` copy.
double slowest_copy(RankGroup& group, PackedCopy& packed, int count) {
    const double start = group.start_together();
    if (group.rank() < count) packed.copy();
    return group.max(group.rank() < count ? now() - start : 0);
}

}  // namespace

void measure_node_copy(MPI_Comm communicator, const Nodes& nodes, Profile& profile) {
    int rank = 0;
    check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
    MPI_Comm node = MPI_COMM_NULL;
    check_mpi(MPI_Comm_split(communicator, nodes.of(rank) == nodes.of(0) ? 0 : MPI_UNDEFINED, rank,
                             &node),
              "MPI_Comm_split");
    if (node == MPI_COMM_NULL) return;
    RankGroup group(node);
    MPI_Comm_free(&node);
    if (group.size() < 2) return;
    PackedCopy packed;
    slowest_copy(group, packed, group.size());  // warms the caches
    std::vector<double> alone;
    std::vector<double> together;
    for (int i = 0; i < rounds; ++i) {
        alone.push_back(slowest_copy(group, packed, 1));
        together.push_back(slowest_copy(group, packed, group.size()));
    }
    if (rank == 0)
        profile.collectives->node_copy =
            node_copy(estimate(alone), estimate(together), group.size(), PackedCopy::bytes);
}

}  // namespace lapwing

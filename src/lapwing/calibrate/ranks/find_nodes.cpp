#include "lapwing/calibrate/ranks/find_nodes.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <vector>

#include "lapwing/compute/charge.hpp"
#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing {
namespace {

/// What tells one node from another.
struct NodeIdentity {
    int leader = 0;           ///< lowest rank that shares memory with this one
    unsigned long network{};  ///< number of its network namespace
    char host[MPI_MAX_PROCESSOR_NAME] = {};
    bool operator==(const NodeIdentity& other) const {
        return leader == other.leader && network == other.network &&
               std::strncmp(host, other.host, sizeof host) == 0;
    }
};

NodeIdentity this_node(MPI_Comm communicator, int rank) {
    NodeIdentity node;
    int length = 0;
    check_mpi(MPI_Get_processor_name(node.host, &length), "MPI_Get_processor_name");
    if (simulated_time) {
        if (char* const place = std::strchr(node.host, '-'))
            std::fill(place, std::end(node.host), '\0');
        return node;
    }
    struct stat status {};
    if (stat("/proc/self/ns/net", &status) == 0) node.network = status.st_ino;
    node.leader = rank;
    check_mpi(MPI_Bcast(&node.leader, 1, MPI_INT, 0, Communicator::of_node(communicator).get()),
              "MPI_Bcast");
    return node;
}

}  // namespace

Nodes find_nodes(MPI_Comm communicator) {
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &size);
    const NodeIdentity mine = this_node(communicator, rank);
    std::vector<NodeIdentity> all(static_cast<std::size_t>(size));
    // Not MPI_Allgather: among hundreds of simulated ranks that takes a minute.
    check_mpi(MPI_Gather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, 0,
                         communicator),
              "MPI_Gather");
    std::vector<int> of_rank(all.size());
    for (std::size_t i = 0; rank == 0 && i < all.size(); ++i)
        of_rank[i] = static_cast<int>(std::find(all.begin(), all.end(), all[i]) - all.begin());
    check_mpi(MPI_Bcast(of_rank.data(), size, MPI_INT, 0, communicator), "MPI_Bcast");
    return Nodes(std::move(of_rank));
}

}  // namespace lapwing

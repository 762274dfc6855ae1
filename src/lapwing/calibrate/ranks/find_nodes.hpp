#pragma once

#include <mpi.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

#include "lapwing/calibrate/ranks/nodes.hpp"
#include "lapwing/compute/charge.hpp"
#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing {

/// Which ranks of `communicator` share a node; all of them call it. Ranks of one host in network
/// namespaces of their own have a network between them: they count as nodes. Simulated ones are
/// told by the name of their host up to a dash: n0-0 and n0-1 are two ranks' places on n0.
inline Nodes find_nodes(MPI_Comm communicator) {
    struct Place {
        int leader = 0;           ///< lowest rank that shares memory with this one
        unsigned long network{};  ///< number of its network namespace
        char host[MPI_MAX_PROCESSOR_NAME] = {};
        bool operator==(const Place& other) const {
            return leader == other.leader && network == other.network &&
                   std::strncmp(host, other.host, sizeof host) == 0;
        }
    };
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &size);
    Place mine;
    int length = 0;
    check_mpi(MPI_Get_processor_name(mine.host, &length), "MPI_Get_processor_name");
    if (simulated_time) {
        if (char* const place = std::strchr(mine.host, '-'))
            std::fill(place, std::end(mine.host), '\0');
    } else {
        struct stat status {};
        if (stat("/proc/self/ns/net", &status) == 0) mine.network = status.st_ino;
        mine.leader = rank;
        check_mpi(MPI_Bcast(&mine.leader, 1, MPI_INT, 0, Communicator::of_node(communicator).get()),
                  "MPI_Bcast");
    }
    std::vector<Place> places(static_cast<std::size_t>(size));
    // Not MPI_Allgather: among hundreds of simulated ranks that takes a minute.
    check_mpi(MPI_Gather(&mine, sizeof mine, MPI_BYTE, places.data(), sizeof mine, MPI_BYTE, 0,
                         communicator),
              "MPI_Gather");
    std::vector<int> of_rank(places.size());
    for (std::size_t i = 0; rank == 0 && i < places.size(); ++i)
        of_rank[i] =
            static_cast<int>(std::find(places.begin(), places.end(), places[i]) - places.begin());
    check_mpi(MPI_Bcast(of_rank.data(), size, MPI_INT, 0, communicator), "MPI_Bcast");
    return Nodes(std::move(of_rank));
}

}  // namespace lapwing

#include "trials/neighbours.hpp"

#include <stdexcept>
#include <string>

#include "lapwing/plan/workload.hpp"

namespace lapwing::tools {

PeerSequence neighbours(const Workload& workload, int rank) {
    const auto ranks = static_cast<int>(workload.ranks);
    switch (workload.peers) {
        case 1:
            if (ranks == 2) return ring_sequence(rank, ranks);
            break;
        case 2:
            return ring_sequence(rank, ranks);
        case 4:
            if (const auto rows = static_cast<int>(near_square_rows(workload.ranks)); rows > 0)
                return torus_sequence(rank, rows, ranks / rows);
            throw std::invalid_argument("halo: " + std::to_string(ranks) +
                                        " ranks are no grid of 3 by 3 or more: take 2 peers");
        default:
            break;
    }
    throw std::invalid_argument(
        "halo: a rank has 2 neighbours (a ring) or 4 (a grid), and 1 where there are 2 ranks, "
        "not " +
        std::to_string(workload.peers));
}

PeerSequences peer_sequences(const Workload& workload, int rank) {
    if (workload.pattern == Pattern::halo)
        return [around = neighbours(workload, rank)](bool) { return around; };
    return [rank, ranks = static_cast<int>(workload.ranks)](bool staggered) {
        return alltoall_sequence(rank, ranks, staggered);
    };
}

}  // namespace lapwing::tools

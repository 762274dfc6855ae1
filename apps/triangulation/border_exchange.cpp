#include "border_exchange.hpp"

namespace lapwing::triangulation {

PeerSequence strips_beside(int rank, int ranks) {
    if (rank == 0) return {{1}, {{1}}};
    if (rank + 1 == ranks) return {{rank - 1}, {{rank - 1}}};
    return {{rank + 1, rank - 1}, {{rank - 1}, {rank + 1}}};
}

}  // namespace lapwing::triangulation

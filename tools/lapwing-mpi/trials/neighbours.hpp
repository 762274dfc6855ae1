#pragma once

#include <functional>

#include "lapwing/pipeline/peer_sequence.hpp"
#include "lapwing/plan/workload.hpp"

namespace lapwing::tools {

/// The neighbours of `rank` in a halo exchange: one in a pair, two in a ring, or four in a grid
/// without borders, as `workload.peers` says. Throws `std::invalid_argument` if so many ranks
/// cannot be arranged like that.
[[nodiscard]] PeerSequence neighbours(const Workload& workload, int rank);

/// The peers of a rank in the order in which it exchanges with them: staggered, so that no two
/// ranks begin with the same peer, or in the same order on all ranks.
using PeerSequences = std::function<PeerSequence(bool staggered)>;

/// The peers of `rank`: its neighbours in a halo exchange, all other ranks in any other pattern.
[[nodiscard]] PeerSequences peer_sequences(const Workload& workload, int rank);

}  // namespace lapwing::tools

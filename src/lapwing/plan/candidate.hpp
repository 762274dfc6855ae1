#pragma once

#include "lapwing/plan/messages.hpp"

namespace lapwing {

/// The order in which messages of several peers are initiated and consumed (Iancu and Strohmaier
/// 2007, multiple end points).
enum class PeerOrder {
    contiguous,   ///< all messages of one peer, then all of the next
    interleaved,  ///< the first message of each peer, then the second of each
};

/// One way to run a workload: which messages, and how many of them at once.
struct Candidate {
    /// What a rank exchanges with one peer (all peers alike). Of a collective or of buckets: what a
    /// rank gives to each collective operation.
    Messages messages;
    /// Messages in flight per rank, all its peers together. In a congested pattern this is that of
    /// each outer rank; the rank in the middle has `window * peers`.
    int window = 1;
    int burst = 0;  ///< b of template E; 0 where messages are initiated one by one
    PeerOrder order = PeerOrder::contiguous;
    bool staggered = true;  ///< rank r begins with peer r + 1; otherwise all begin with the same

    friend bool operator==(const Candidate&, const Candidate&) = default;
};

}  // namespace lapwing

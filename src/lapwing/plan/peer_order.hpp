#pragma once

namespace lapwing {

/// The order in which the messages of several peers are initiated and consumed (Iancu and
/// Strohmaier 2007, multiple end points).
enum class PeerOrder {
    contiguous,   ///< all of one peer, then all of the next
    interleaved,  ///< the first message of each, then the second of each
};

}  // namespace lapwing

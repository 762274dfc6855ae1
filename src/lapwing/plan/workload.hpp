#pragma once

#include <cstdint>

#include "lapwing/plan/message_transport.hpp"

namespace lapwing {

/// How the messages of a workload run between ranks.
enum class Pattern {
    stream,      ///< one rank sends, the other receives
    multi,       ///< one rank receives from several peers, or sends to them
    congested,   ///< all other ranks produce into one, or fetch from it
    alltoall,    ///< every rank exchanges with every other, message by message
    collective,  ///< the same, tile by tile, by a non-blocking all-to-all of all ranks
    halo,        ///< every rank exchanges with a few neighbours
    buckets,     ///< every rank produces parts of a vector, one after another, that all ranks sum
};

/// Which side of a message the computation is on.
enum class Direction {
    fetch,    ///< receive, then consume (Iancu, templates C and E)
    produce,  ///< compute, then send (Hoefler's pipeline)
    both,     ///< half of it before a message is sent, half of it on what has arrived
};

/// What a piece of the computation needs of what arrives.
enum class Dependence {
    tight,  ///< the piece it works on (Iancu, figure 6, templates C and E)
    loose,  ///< nothing: none of it has to wait, none is left for when all has arrived
};

/// What is to be communicated, and what there is to hide it behind.
struct Workload {
    /// Bytes in all that a computing rank receives, or sends if it produces: of a stream, of each
    /// pair; of a `congested` one, of each of the other ranks; otherwise of each rank, all its
    /// peers together. Of buckets, the length of the vector.
    std::uint64_t volume = 0;
    double compute = 0;       ///< seconds of computation in all (t_V), of each rank that computes
    std::uint64_t grain = 1;  ///< bytes; messages are cut at its multiples
    Pattern pattern = Pattern::stream;
    Direction direction = Direction::fetch;
    Dependence dependence = Dependence::tight;
    std::uint64_t ranks = 0;  ///< that take part; 0: as many as the pattern and the peers need
    /// With how many others a rank exchanges; 0: all of them. Streams have 1.
    std::uint64_t peers = 0;
    /// Whether all ranks begin together, as after a barrier: an all-to-all whose ranks drift apart
    /// is another one (Iancu and Strohmaier 2007, section 3.4).
    bool balanced = true;
    /// Bytes of data that lie side by side, and from one such block to the next; 0: no gaps.
    std::uint64_t block = 0;
    std::uint64_t stride = 0;
    /// Whether every rank knows how much it will receive; if not, sizes are exchanged before data:
    /// of collectives alone.
    bool sizes_known = true;
    /// Of the computation: 0.2 where it may be a fifth longer, or as much shorter.
    double uncertainty = 0;
    /// How messages move: the way that the program has, or any, where the plan is to say.
    MessageTransport transport = MessageTransport::two_sided;
};

/// Whether each rank has to do with every other, or with the one that all others have to do with.
[[nodiscard]] bool with_all(Pattern pattern);

/// The workload with nothing left open: `ranks` and `peers` as its pattern has them, and
/// buckets produced.
/// Throws `std::invalid_argument`, in one line, for one that is impossible: no volume, no grain, a
/// negative or not finite computation or uncertainty, more peers than other ranks, a stride shorter
/// than its block, collectives by another transport than their own.
[[nodiscard]] Workload complete(const Workload& workload);

/// Whether there are gaps between the blocks of its data.
[[nodiscard]] constexpr bool is_strided(const Workload& workload) {
    return workload.stride != workload.block;
}

/// Bytes that go between a computing rank and one of its peers, `workload` being complete: the
/// volume over the peers, rounded up to the grain where that leaves a remainder or cuts a grain.
[[nodiscard]] std::uint64_t peer_volume(const Workload& workload);

}  // namespace lapwing

#pragma once

#include <cstdint>

namespace lapwing {

/// Who exchanges messages with whom.
enum class Pattern {
    stream,      ///< one rank sends, the other receives
    multi,       ///< one rank receives from several peers, or sends to them
    congested,   ///< all other ranks send to one, or receive from it
    alltoall,    ///< every rank exchanges with every other, message by message
    collective,  ///< the same, tile by tile, by a non-blocking all-to-all of all ranks
    halo,        ///< every rank exchanges with a few neighbours
    buckets,     ///< ranks sum parts of a vector as soon as they have computed them
};

/// Which side of a message the computation is on.
enum class Direction {
    fetch,    ///< receive, then compute (Iancu, templates C and E)
    produce,  ///< compute, then send (Hoefler's pipeline)
    both,     ///< half of it before a message is sent, half of it on what has arrived
};

/// What a piece of the computation needs.
enum class Dependence {
    tight,  ///< the message it works on (Iancu, figure 6, templates C and E)
    loose,  ///< no message: all of it can run while messages are in flight
};

/// How messages move. Collectives have a transport of their own.
enum class MessageTransport {
    two_sided,    ///< `TwoSided`: sent and received
    put,          ///< `NotifiedPut`: the receiver offers memory, the sender puts data there
    get,          ///< `NotifiedGet`: the sender offers memory, the receiver gets data from there
    any,          ///< the planner chooses the fastest of those above
    ucx_put,      ///< `UcxPut`: as `put`
    ucx_get,      ///< `UcxGet`: as `get`
    shmem,        ///< `Shmem`: as `put`
    partitioned,  ///< `Partitioned`: as `put`, one way alone
};

/// Whether the sender puts data into memory that the receiver has offered.
[[nodiscard]] constexpr bool is_put(MessageTransport transport) {
    return transport == MessageTransport::put || transport == MessageTransport::ucx_put ||
           transport == MessageTransport::shmem || transport == MessageTransport::partitioned;
}

/// Whether the receiver gets data from memory that the sender has offered.
[[nodiscard]] constexpr bool is_get(MessageTransport transport) {
    return transport == MessageTransport::get || transport == MessageTransport::ucx_get;
}

/// What is to be communicated, and the computation that can hide it.
struct Workload {
    /// Bytes that each computing rank receives (sends, if it produces), summed over its peers. In a
    /// `congested` pattern: of each rank but the one in the middle. Of buckets: the length of the
    /// vector.
    std::uint64_t volume = 0;
    double compute = 0;       ///< computation of each computing rank in all (t_V), seconds
    std::uint64_t grain = 1;  ///< messages are cut at multiples of this, bytes
    Pattern pattern = Pattern::stream;
    Direction direction = Direction::fetch;
    Dependence dependence = Dependence::tight;
    std::uint64_t ranks = 0;  ///< that take part; 0: as many as the pattern and the peers need
    std::uint64_t peers = 0;  ///< of each rank; 0: all others. A stream has 1.
    /// Whether all ranks begin together, as after a barrier (Iancu and Strohmaier 2007, section
    /// 3.4: ranks of an all-to-all that drift apart contend in another way).
    bool balanced = true;
    std::uint64_t block = 0;   ///< bytes that lie side by side; 0: data has no gaps
    std::uint64_t stride = 0;  ///< from the start of one block to the next, bytes; 0: no gaps
    /// Whether receivers know how much they will receive. If not, sizes are exchanged before data
    /// (pattern `collective` only).
    bool sizes_known = true;
    double uncertainty = 0;  ///< relative error of `compute`: 0.2 for 20 per cent
    MessageTransport transport = MessageTransport::two_sided;
};

/// Whether each rank exchanges with every other, or all others with one.
[[nodiscard]] bool with_all(Pattern pattern);

/// Whether the messages of all peers share a rank's window. In other patterns a message in flight
/// stands for one to each peer.
[[nodiscard]] constexpr bool shares_window(const Workload& workload) {
    return workload.pattern == Pattern::multi || workload.pattern == Pattern::alltoall ||
           workload.pattern == Pattern::halo;
}

/// Whether data goes one way: from one rank to another, or between one and several.
[[nodiscard]] constexpr bool is_one_way(const Workload& workload) {
    return workload.pattern == Pattern::multi || workload.pattern == Pattern::congested ||
           (workload.pattern == Pattern::stream && workload.direction != Direction::both);
}

/// Whether data has gaps, and must be packed.
[[nodiscard]] constexpr bool is_strided(const Workload& workload) {
    return workload.stride != workload.block;
}

/// Whether the computation needs no message. That of buckets makes the messages, so it never is.
[[nodiscard]] inline bool is_independent(const Workload& workload) {
    return workload.dependence == Dependence::loose && workload.pattern != Pattern::buckets;
}

/// The workload with its defaults filled in: numbers of ranks and peers, the direction of buckets.
/// Throws `std::invalid_argument`, in one line, for an impossible one. Impossible are no volume, no
/// grain, a negative or infinite computation or uncertainty, and more peers than other ranks. So
/// are a stride shorter than its block, one-sided collectives, and partitions both ways.
[[nodiscard]] Workload complete(const Workload& workload);

/// The workload, two-sided where it leaves its transport open.
[[nodiscard]] Workload over_one_transport(Workload workload);

/// Bytes exchanged between a computing rank and each of its peers: the volume over the peers. It is
/// rounded up to the grain where that leaves a remainder or cuts a grain. `workload`: complete.
[[nodiscard]] std::uint64_t peer_volume(const Workload& workload);

/// Rows of the most square grid of `ranks` ranks in which each has four neighbours once borders are
/// joined. There are at least 3, with as many columns or more; 0 where there is no such grid.
[[nodiscard]] std::uint64_t near_square_rows(std::uint64_t ranks);

}  // namespace lapwing

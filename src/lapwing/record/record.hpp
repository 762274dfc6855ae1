#pragma once

#include <cstdint>
#include <limits>
#include <span>

namespace lapwing::record {

/// What a record says. The numbers are part of the format.
enum class Kind : std::uint8_t {
    none = 0,               ///< nothing follows: the end of a rank's records
    communicator = 1,       ///< a communicator that later records name
    finish = 2,             ///< the rank called MPI_Finalize
    send = 3,               ///< a send, complete when it returns
    receive = 4,            ///< a receive, complete when it returns
    send_receive = 5,       ///< both at once
    start_send = 6,         ///< a send that makes or starts a request
    start_receive = 7,      ///< a receive that does
    wait = 8,               ///< a call that found these requests complete
    forget = 9,             ///< a request was freed, and will not be waited for
    collective = 10,        ///< a collective, complete when it returns
    start_collective = 11,  ///< a non-blocking one
    other = 12              ///< a call of which nothing but its time is known
};
inline constexpr std::uint8_t kinds = 13;

/// The collectives of MPI. The numbers are part of the format.
enum class Collective : std::uint8_t {
    barrier,
    bcast,
    reduce,
    allreduce,
    scan,
    exscan,
    gather,
    gatherv,
    scatter,
    scatterv,
    allgather,
    allgatherv,
    alltoall,
    alltoallv,  ///< MPI_Alltoallw, too
    reduce_scatter,
    reduce_scatter_block,
    create_communicator  ///< of a part of its ranks, or all
};
inline constexpr std::uint8_t collectives = 17;

/// Any source or any tag, of a receive; no rank, of a message to or from MPI_PROC_NULL.
inline constexpr std::int64_t any = -1;
inline constexpr std::int64_t nobody = -2;

/// One end of a message.
struct Message {
    std::int64_t peer = nobody;  ///< rank in MPI_COMM_WORLD; of a receive also `any`
    std::int64_t tag = 0;        ///< of a receive also `any`
    std::uint64_t bytes = 0;     ///< of a receive, how much it has room for
};

/// Ranks of MPI_COMM_WORLD that follow one another at equal distances.
struct Run {
    std::uint64_t first = 0;
    std::int64_t stride = 1;
    std::uint64_t count = 0;
};

/// One record of a rank. Which members have a meaning depends on its kind.
struct Record {
    Kind kind = Kind::none;
    std::uint64_t computed = 0;      ///< nanoseconds between the call before and this one
    std::uint64_t duration = 0;      ///< nanoseconds in the call
    std::uint64_t site = 0;          ///< call site, as the rank numbers them
    std::uint64_t communicator = 0;  ///< as the rank numbers them; 0: MPI_COMM_WORLD
    Message sent{};
    Message received{};
    /// The request that the call makes. A number is used again when its request is complete.
    std::uint64_t request = 0;
    /// Requests that are complete.
    std::span<const std::uint64_t> requests{};

    Collective collective = Collective::barrier;
    std::uint64_t root = 0;  ///< rank in the communicator
    /// Bytes. Of a bcast, reduce, allreduce or scan the whole message, of an alltoall from each
    /// rank to each, of the others the block of one rank: that of the caller, where blocks differ.
    /// Of a new communicator what each rank tells all others before, as in MPI_Comm_split.
    std::uint64_t bytes = 0;
    /// Where blocks differ, the bytes of each rank of the communicator: of an alltoallv what the
    /// caller sends to each, of a gatherv or scatterv only at the root.
    std::span<const std::uint64_t> blocks{};

    /// A communicator: what tells it from others on all its ranks, and its members in their order.
    std::uint64_t context = 0;
    std::span<const Run> members{};
};

/// Whether a record names one request.
[[nodiscard]] constexpr bool has_request(Kind kind) {
    return kind == Kind::start_send || kind == Kind::start_receive ||
           kind == Kind::start_collective || kind == Kind::forget;
}

/// Whether a record sends a message, or receives one.
[[nodiscard]] constexpr bool sends(Kind kind) {
    return kind == Kind::send || kind == Kind::send_receive || kind == Kind::start_send;
}
[[nodiscard]] constexpr bool receives(Kind kind) {
    return kind == Kind::receive || kind == Kind::send_receive || kind == Kind::start_receive;
}

/// Whether blocks of different sizes belong to a collective.
[[nodiscard]] constexpr bool has_blocks(Collective collective) {
    return collective == Collective::gatherv || collective == Collective::scatterv ||
           collective == Collective::allgatherv || collective == Collective::alltoallv ||
           collective == Collective::reduce_scatter;
}

}  // namespace lapwing::record

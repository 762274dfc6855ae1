#pragma once

#include <cstdint>

namespace lapwing::observe {

/// The kind of communication of a call. The numbers are part of the table's format:
/// `python/lapwing/observe/record.py` has their names.
enum class Operation : std::uint32_t {
    messages,  ///< from rank to rank
    alltoall,
    bcast,
    reduce,
    allreduce,
    allgather,
    gather,
    scatter,
    reduce_scatter,
    scan,
    barrier,
    neighbours,  ///< a neighbourhood collective
};

/// What messages are made of. The numbers are part of the table's format, too.
enum class Element : std::uint32_t {
    unknown,  ///< none of those below, such as a derived data type
    byte,
    character,
    int16,
    int32,
    int64,
    unsigned32,
    unsigned64,
    float32,
    float64,
    complex64,
    complex128,
};

/// One side of a message: the other rank, and the tag.
struct Endpoint {
    static constexpr int nobody = -1000;

    int peer = nobody;        ///< the other rank, in its communicator; of a collective, the root
    int tag = -1;             ///< below 0: any, or none
    int world_peer = nobody;  ///< `peer` in MPI_COMM_WORLD, where events are recorded
};

/// What one call moves.
struct Traffic {
    static constexpr int nobody = Endpoint::nobody;

    Operation operation = Operation::messages;
    Element element = Element::unknown;
    std::uint64_t sent = 0;      ///< bytes to other ranks
    std::uint64_t received = 0;  ///< bytes from other ranks; of a receive, at most so many
    std::uint64_t size = 0;      ///< bytes as a prediction wants them: of a message, or of a block
    int ranks = 0;               ///< of the communicator; 0 for messages
    Endpoint to{};               ///< the receiver of what is sent; of a collective, its root
    Endpoint from{};             ///< the sender of what is received

    /// The other rank; of a call that sends and receives, the one it sends to.
    [[nodiscard]] int peer() const { return to.peer == nobody ? from.peer : to.peer; }
};

}  // namespace lapwing::observe

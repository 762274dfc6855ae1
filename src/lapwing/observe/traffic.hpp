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

/// What one call moves.
struct Traffic {
    static constexpr int nobody = -1000;

    Operation operation = Operation::messages;
    std::uint64_t sent = 0;      ///< bytes to other ranks
    std::uint64_t received = 0;  ///< bytes from other ranks; of a receive, at most so many
    std::uint64_t size = 0;      ///< bytes as a prediction wants them: of a message, or of a block
    int ranks = 0;               ///< of the communicator; 0 for messages
    int peer = nobody;           ///< the other rank, in its communicator; of a collective, the root
};

}  // namespace lapwing::observe

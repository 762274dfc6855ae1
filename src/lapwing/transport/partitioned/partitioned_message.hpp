#pragma once

#include "lapwing/transport/partitioned/available.hpp"

#ifdef LAPWING_HAS_PARTITIONED
#include <mpi.h>

#include <cstddef>
#include <utility>

#include "lapwing/transport/mpi/byte_type.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing {

/// Owns one side of a partitioned message, which has been started: `partitions` parts of `bytes`
/// each, one behind the other. Both sides have the same number of bytes in all. Messages of one tag
/// meet in the order in which they are made.
class PartitionedMessage {
  public:
    /// The two ends of a message: with which rank, under which tag.
    struct Ends {
        MPI_Comm communicator;
        int peer;
        int tag;
    };

    PartitionedMessage() = default;
    /// The sender's side. A partition moves when it is `ready`, or later.
    [[nodiscard]] static PartitionedMessage sent(const void* from, int partitions,
                                                 std::size_t bytes, const Ends& ends) {
        const ByteType part(bytes);
        PartitionedMessage message(ends.peer);
        check_mpi(MPI_Psend_init(from, partitions, part.count(), part.type(), ends.peer, ends.tag,
                                 ends.communicator, MPI_INFO_NULL, &message.handle_),
                  "MPI_Psend_init", ends.peer);
        message.start();
        return message;
    }
    /// The receiver's side.
    [[nodiscard]] static PartitionedMessage received(void* into, int partitions, std::size_t bytes,
                                                     const Ends& ends) {
        const ByteType part(bytes);
        PartitionedMessage message(ends.peer);
        check_mpi(MPI_Precv_init(into, partitions, part.count(), part.type(), ends.peer, ends.tag,
                                 ends.communicator, MPI_INFO_NULL, &message.handle_),
                  "MPI_Precv_init", ends.peer);
        message.start();
        return message;
    }
    PartitionedMessage(PartitionedMessage&& other) noexcept
        : handle_(std::exchange(other.handle_, MPI_REQUEST_NULL)), peer_(other.peer_) {}
    PartitionedMessage& operator=(PartitionedMessage&& other) noexcept {
        std::swap(handle_, other.handle_);
        std::swap(peer_, other.peer_);
        return *this;
    }
    PartitionedMessage(const PartitionedMessage&) = delete;
    PartitionedMessage& operator=(const PartitionedMessage&) = delete;
    /// Waits for all partitions: their memory is in use until then.
    ~PartitionedMessage() {
        if (handle_ == MPI_REQUEST_NULL) return;
        MPI_Wait(&handle_, MPI_STATUS_IGNORE);
        MPI_Request_free(&handle_);
    }

    /// The sender has written partition `which`.
    void ready(int which) { check_mpi(MPI_Pready(which, handle_), "MPI_Pready", peer_); }
    /// Whether partition `which` has come. Lets MPI progress.
    [[nodiscard]] bool arrived(int which) {
        if (handle_ == MPI_REQUEST_NULL) return true;
        int there = 0;
        check_mpi(MPI_Parrived(handle_, which, &there), "MPI_Parrived", peer_);
        return there != 0;
    }
    /// Whether all partitions have left, or come. Lets MPI progress.
    bool test() {
        if (handle_ == MPI_REQUEST_NULL) return true;
        int done = 0;
        check_mpi(MPI_Test(&handle_, &done, MPI_STATUS_IGNORE), "MPI_Test", peer_);
        if (done != 0) MPI_Request_free(&handle_);
        return done != 0;
    }
    /// Returns when all partitions have left, or come.
    void wait() {
        if (handle_ == MPI_REQUEST_NULL) return;
        check_mpi(MPI_Wait(&handle_, MPI_STATUS_IGNORE), "MPI_Wait", peer_);
        MPI_Request_free(&handle_);
    }
    /// Leaves the message to the end of the program: the peer may never come.
    void abandon() { handle_ = MPI_REQUEST_NULL; }

  private:
    explicit PartitionedMessage(int peer) : peer_(peer) {}
    void start() { check_mpi(MPI_Start(&handle_), "MPI_Start", peer_); }

    MPI_Request handle_ = MPI_REQUEST_NULL;
    int peer_ = -1;
};

}  // namespace lapwing
#endif

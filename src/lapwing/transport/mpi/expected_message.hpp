#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing {

/// What a receive expects, for comparison with the message that arrives. MPI accepts a shorter
/// message, and with MPI_ANY_TAG any message at all.
class ExpectedMessage {
  public:
    /// Nothing: of a send, or of a receive that takes any message.
    ExpectedMessage() = default;
    /// A message of `bytes`.
    explicit ExpectedMessage(std::size_t bytes) : bytes_(static_cast<std::int64_t>(bytes)) {}
    /// The first message of a stream, which has the tag `first_tag` if it is the one expected, or
    /// the tag `by_hand` from a program that sends by itself.
    ExpectedMessage(std::size_t bytes, int first_tag, int by_hand)
        : bytes_(static_cast<std::int64_t>(bytes)), first_tag_(first_tag), by_hand_(by_hand) {}

    /// A status to give to MPI.
    [[nodiscard]] MPI_Status status() const {
        MPI_Status status{};
        status.MPI_TAG = first_tag_;
        return status;
    }
    /// Throws `MpiError` where `code`, which `call` returned for a complete message of rank `peer`,
    /// is an error, and `std::runtime_error` where another message has come.
    void check(int code, const char* call, int peer, const MPI_Status& status) const {
        if (first_tag_ >= 0 && status.MPI_TAG != first_tag_ && status.MPI_TAG != by_hand_)
            throw_other_stream(peer);
        check_mpi(code, call, peer);
        if (bytes_ < 0) return;
        int arrived = 0;
        check_mpi(MPI_Get_count(&status, MPI_BYTE, &arrived), "MPI_Get_count", peer);
        // Beyond the largest int the count is undefined.
        if (arrived != MPI_UNDEFINED && arrived != bytes_) throw_other_size(peer, arrived);
    }

  private:
    [[noreturn]] static void throw_other_stream(int peer) {
        throw std::runtime_error("rank " + std::to_string(peer) +
                                 " sends a stream of another volume or other message sizes than "
                                 "this rank receives: both ranks need the same plan");
    }
    [[noreturn]] void throw_other_size(int peer, int arrived) const {
        throw std::runtime_error("a message of rank " + std::to_string(peer) + " has " +
                                 std::to_string(arrived) + " bytes, and this rank expects " +
                                 std::to_string(bytes_) + ": both ranks need the same plan");
    }

    std::int64_t bytes_ = -1;  ///< negative: not looked at
    int first_tag_ = -1;       ///< negative: the message is not a stream's first
    int by_hand_ = -1;
};

}  // namespace lapwing

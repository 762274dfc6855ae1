#pragma once

#include <mpi.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

#include "lapwing/transport/mpi/byte_type.hpp"
#include "lapwing/transport/mpi/expected_message.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing {

/// Owns persistent requests: repeated messages whose arguments MPI is told once. Its calls are
/// those of `RepeatedMessages`. `test` and the waits throw `std::runtime_error` where a message is
/// shorter than was expected.
class Persistent {
  public:
    /// The communicator outlives it.
    explicit Persistent(MPI_Comm communicator) : communicator_(communicator) {}
    Persistent(const Persistent&) = delete;
    Persistent& operator=(const Persistent&) = delete;
    /// Waits for messages under way: their memory is in use until then.
    ~Persistent() {
        for (MPI_Request& handle : handles_) {
            MPI_Wait(&handle, MPI_STATUS_IGNORE);
            if (handle != MPI_REQUEST_NULL) MPI_Request_free(&handle);
        }
    }

    void add_send(const void* from, std::size_t bytes, int peer, int tag) {
        const ByteType data(bytes);
        MPI_Request handle = MPI_REQUEST_NULL;
        check_mpi(MPI_Send_init(from, data.count(), data.type(), peer, tag, communicator_, &handle),
                  "MPI_Send_init", peer);
        add(handle, peer, {});
    }
    void add_receive(void* into, std::size_t bytes, int peer, int tag) {
        const ByteType data(bytes);
        MPI_Request handle = MPI_REQUEST_NULL;
        check_mpi(MPI_Recv_init(into, data.count(), data.type(), peer, tag, communicator_, &handle),
                  "MPI_Recv_init", peer);
        add(handle, peer, ExpectedMessage(bytes));
    }

    void start(std::size_t which) {
        check_mpi(MPI_Start(&handles_[which]), "MPI_Start", peer(which));
    }
    bool test(std::size_t which) {
        int done = 0;
        MPI_Status status{};
        const int code = MPI_Test(&handles_[which], &done, &status);
        check(which, code, "MPI_Test", done != 0, status);
        return done != 0;
    }
    void wait_all() {
        for (std::size_t which = 0; which < handles_.size(); ++which) {
            MPI_Status status{};
            const int code = MPI_Wait(&handles_[which], &status);
            check(which, code, "MPI_Wait", true, status);
        }
    }
    [[nodiscard]] std::size_t wait_any() {
        int index = MPI_UNDEFINED;
        MPI_Status status{};
        const int code =
            MPI_Waitany(static_cast<int>(handles_.size()), handles_.data(), &index, &status);
        if (index < 0 || static_cast<std::size_t>(index) >= handles_.size()) {
            check_mpi(code, "MPI_Waitany");
            throw std::logic_error("MPI_Waitany: nothing is under way");
        }
        const auto which = static_cast<std::size_t>(index);
        check(which, code, "MPI_Waitany", true, status);
        return which;
    }

  private:
    struct Message {
        int peer;
        ExpectedMessage expected;
    };

    void add(MPI_Request handle, int peer, const ExpectedMessage& expected) {
        handles_.push_back(handle);
        messages_.push_back({peer, expected});
    }
    [[nodiscard]] int peer(std::size_t which) const { return messages_[which].peer; }
    /// Of a request that was not under way the status is empty.
    void check(std::size_t which, int code, const char* call, bool complete,
               const MPI_Status& status) const {
        if (complete && status.MPI_SOURCE != MPI_ANY_SOURCE)
            messages_[which].expected.check(code, call, peer(which), status);
        else
            check_mpi(code, call, peer(which));
    }

    MPI_Comm communicator_;
    std::vector<MPI_Request> handles_;  ///< side by side, as `MPI_Waitany` wants them
    std::vector<Message> messages_;     ///< of each
};

}  // namespace lapwing

#pragma once

#include <mpi.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

#include "lapwing/transport/mpi/byte_type.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing {

/// Owns persistent requests: repeated messages whose arguments MPI is told once. Its calls are
/// those of `RepeatedMessages`.
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
        add(handle, peer);
    }
    void add_receive(void* into, std::size_t bytes, int peer, int tag) {
        const ByteType data(bytes);
        MPI_Request handle = MPI_REQUEST_NULL;
        check_mpi(MPI_Recv_init(into, data.count(), data.type(), peer, tag, communicator_, &handle),
                  "MPI_Recv_init", peer);
        add(handle, peer);
    }

    void start(std::size_t which) {
        check_mpi(MPI_Start(&handles_[which]), "MPI_Start", peers_[which]);
    }
    bool test(std::size_t which) {
        int done = 0;
        check_mpi(MPI_Test(&handles_[which], &done, MPI_STATUS_IGNORE), "MPI_Test", peers_[which]);
        return done != 0;
    }
    void wait_all() {
        const int* peer = peers_.data();
        for (MPI_Request& handle : handles_)
            check_mpi(MPI_Wait(&handle, MPI_STATUS_IGNORE), "MPI_Wait", *peer++);
    }
    [[nodiscard]] std::size_t wait_any() {
        int index = MPI_UNDEFINED;
        const int code = MPI_Waitany(static_cast<int>(handles_.size()), handles_.data(), &index,
                                     MPI_STATUS_IGNORE);
        const bool known = index >= 0 && static_cast<std::size_t>(index) < peers_.size();
        const auto which = static_cast<std::size_t>(known ? index : 0);
        check_mpi(code, "MPI_Waitany", known ? peers_[which] : -1);
        if (!known) throw std::logic_error("MPI_Waitany: nothing is under way");
        return which;
    }

  private:
    void add(MPI_Request handle, int peer) {
        handles_.push_back(handle);
        peers_.push_back(peer);
    }

    MPI_Comm communicator_;
    std::vector<MPI_Request> handles_;  ///< side by side, as `MPI_Waitany` wants them
    std::vector<int> peers_;            ///< of each, for error messages
};

}  // namespace lapwing

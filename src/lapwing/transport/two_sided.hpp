#pragma once

#include <mpi.h>

#include <cstddef>
#include <utility>

#include "lapwing/compute/clock.hpp"
#include "lapwing/transport/byte_type.hpp"
#include "lapwing/transport/communicator.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// Non-blocking two-sided MPI: `MPI_Isend` and `MPI_Irecv`.
class TwoSided {
  public:
    class Request {
      public:
        Request() = default;
        Request(MPI_Request handle, int peer) : handle_(handle), peer_(peer) {}
        Request(Request&& other) noexcept
            : handle_(std::exchange(other.handle_, MPI_REQUEST_NULL)), peer_(other.peer_) {}
        Request& operator=(Request&& other) noexcept {
            std::swap(handle_, other.handle_);
            std::swap(peer_, other.peer_);
            return *this;
        }
        Request(const Request&) = delete;
        Request& operator=(const Request&) = delete;
        /// Waits: the buffer is in use until then.
        ~Request() {
            if (handle_ != MPI_REQUEST_NULL) MPI_Wait(&handle_, MPI_STATUS_IGNORE);
        }

        /// Whether the transfer is complete. Lets MPI progress all that is under way.
        bool test() {
            int done = 0;
            check_mpi(MPI_Test(&handle_, &done, MPI_STATUS_IGNORE), "MPI_Test", peer_);
            return done != 0;
        }
        /// Returns when the transfer is complete.
        void wait() { check_mpi(MPI_Wait(&handle_, MPI_STATUS_IGNORE), "MPI_Wait", peer_); }

      private:
        MPI_Request handle_ = MPI_REQUEST_NULL;
        int peer_ = -1;
    };

    explicit TwoSided(MPI_Comm original = MPI_COMM_WORLD) : communicator_(original) {}

    Request send(const void* from, std::size_t bytes, int peer, int tag) {
        const ByteType data(bytes);
        MPI_Request handle = MPI_REQUEST_NULL;
        check_mpi(
            MPI_Isend(from, data.count(), data.type(), peer, tag, communicator_.get(), &handle),
            "MPI_Isend", peer);
        return {handle, peer};
    }
    Request receive(void* into, std::size_t bytes, int peer, int tag) {
        const ByteType data(bytes);
        MPI_Request handle = MPI_REQUEST_NULL;
        check_mpi(
            MPI_Irecv(into, data.count(), data.type(), peer, tag, communicator_.get(), &handle),
            "MPI_Irecv", peer);
        return {handle, peer};
    }
    [[nodiscard]] static double now() { return lapwing::now(); }

    [[nodiscard]] int rank() const { return communicator_.rank(); }
    [[nodiscard]] int size() const { return communicator_.size(); }

  private:
    Communicator communicator_;
};

static_assert(Transport<TwoSided>);

}  // namespace lapwing

#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <utility>

#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing {

/// Owns an `MPI_Request`.
class MpiRequest {
  public:
    MpiRequest() = default;
    /// `peer`: the rank it is about, for error messages; negative: none.
    MpiRequest(MPI_Request handle, int peer) : handle_(handle), peer_(peer) {}
    MpiRequest(MpiRequest&& other) noexcept
        : handle_(std::exchange(other.handle_, MPI_REQUEST_NULL)), peer_(other.peer_) {}
    MpiRequest& operator=(MpiRequest&& other) noexcept {
        std::swap(handle_, other.handle_);
        std::swap(peer_, other.peer_);
        return *this;
    }
    MpiRequest(const MpiRequest&) = delete;
    MpiRequest& operator=(const MpiRequest&) = delete;
    /// Waits: the buffer is in use until then.
    ~MpiRequest() {
        if (handle_ != MPI_REQUEST_NULL) MPI_Wait(&handle_, MPI_STATUS_IGNORE);
    }

    /// Whether the message is complete. Lets MPI progress everything under way.
    bool test() {
        if (handle_ == MPI_REQUEST_NULL) return true;  // SMPI's MPI_Test says that it is not
        int done = 0;
        check_mpi(MPI_Test(&handle_, &done, MPI_STATUS_IGNORE), "MPI_Test", peer_);
        return done != 0;
    }
    /// Waits for any one of `requests` and returns which. At least one has to be under way.
    [[nodiscard]] static std::size_t wait_any(std::span<MpiRequest> requests) {
        // MPI wants the handles side by side. Of many requests the first 32 unfinished will do.
        constexpr std::size_t most = 32;
        MPI_Request handles[most];
        std::size_t places[most];
        std::size_t count = 0;
        for (std::size_t i = 0; i < requests.size() && count < most; ++i) {
            if (requests[i].handle_ == MPI_REQUEST_NULL) continue;
            handles[count] = requests[i].handle_;
            places[count++] = i;
        }
        int index = MPI_UNDEFINED;
        const int code = MPI_Waitany(static_cast<int>(count), handles, &index, MPI_STATUS_IGNORE);
        const bool known = index >= 0 && static_cast<std::size_t>(index) < count;
        check_mpi(code, "MPI_Waitany", known ? requests[places[index]].peer_ : -1);
        if (index == MPI_UNDEFINED) throw std::logic_error("MPI_Waitany: nothing is under way");
        const std::size_t place = places[index];
        requests[place].handle_ = handles[index];
        return place;
    }
    /// Gives up the handle.
    [[nodiscard]] MPI_Request release() { return std::exchange(handle_, MPI_REQUEST_NULL); }
    /// Returns when the message is complete.
    void wait() { check_mpi(MPI_Wait(&handle_, MPI_STATUS_IGNORE), "MPI_Wait", peer_); }

  private:
    MPI_Request handle_ = MPI_REQUEST_NULL;
    int peer_ = -1;
};

}  // namespace lapwing

#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <utility>

#include "lapwing/transport/mpi/expected_message.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing {

/// Owns an `MPI_Request`.
class MpiRequest {
  public:
    MpiRequest() = default;
    /// `peer`: the rank it is about, for error messages; negative: none.
    /// `expected`: what is received.
    MpiRequest(MPI_Request handle, int peer, ExpectedMessage expected = {})
        : handle_(handle), peer_(peer), expected_(expected) {}
    MpiRequest(MpiRequest&& other) noexcept
        : handle_(std::exchange(other.handle_, MPI_REQUEST_NULL)),
          peer_(other.peer_),
          expected_(other.expected_) {}
    MpiRequest& operator=(MpiRequest&& other) noexcept {
        std::swap(handle_, other.handle_);
        std::swap(peer_, other.peer_);
        std::swap(expected_, other.expected_);
        return *this;
    }
    MpiRequest(const MpiRequest&) = delete;
    MpiRequest& operator=(const MpiRequest&) = delete;
    /// Waits: the buffer is in use until then.
    ~MpiRequest() {
        if (handle_ != MPI_REQUEST_NULL) MPI_Wait(&handle_, MPI_STATUS_IGNORE);
    }

    /// Whether the message is complete. Lets MPI progress everything under way. Like the waits it
    /// throws `std::runtime_error` where another message has come than was expected.
    bool test() {
        if (handle_ == MPI_REQUEST_NULL) return true;  // SMPI's MPI_Test says that it is not
        int done = 0;
        MPI_Status status = expected_.status();
        const int code = MPI_Test(&handle_, &done, &status);
        if (done == 0) {
            check_mpi(code, "MPI_Test", peer_);
            return false;
        }
        expected_.check(code, "MPI_Test", peer_, status);
        return true;
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
        MPI_Status status{};
        const int code = MPI_Waitany(static_cast<int>(count), handles, &index, &status);
        if (index < 0 || static_cast<std::size_t>(index) >= count) {
            check_mpi(code, "MPI_Waitany");
            throw std::logic_error("MPI_Waitany: nothing is under way");
        }
        const std::size_t place = places[index];
        MpiRequest& complete = requests[place];
        complete.handle_ = handles[index];
        complete.expected_.check(code, "MPI_Waitany", complete.peer_, status);
        return place;
    }
    /// Gives up the handle.
    [[nodiscard]] MPI_Request release() { return std::exchange(handle_, MPI_REQUEST_NULL); }
    /// Returns when the message is complete.
    void wait() {
        if (handle_ == MPI_REQUEST_NULL) return;
        MPI_Status status = expected_.status();
        const int code = MPI_Wait(&handle_, &status);
        expected_.check(code, "MPI_Wait", peer_, status);
    }

  private:
    MPI_Request handle_ = MPI_REQUEST_NULL;
    int peer_ = -1;
    ExpectedMessage expected_;
};

}  // namespace lapwing

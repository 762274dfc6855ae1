#pragma once

#include <mpi.h>

#include <cstddef>
#include <exception>
#include <utility>

#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing {

/// Owns memory that the other ranks can put to and get from, of the same size on every rank. It is
/// open for access (`MPI_Win_lock_all`) all its life. Making and freeing it is collective.
class Window {
  public:
    Window(MPI_Comm original, std::size_t bytes)
        : communicator_(original), size_(bytes), exceptions_(std::uncaught_exceptions()) {
        // MPICH 4.0 puts to wrong places in windows of other sizes, where three ranks share memory.
        constexpr std::size_t unit = 64;
        const std::size_t room = (bytes + unit - 1) / unit * unit;
        check_mpi(MPI_Win_allocate(static_cast<MPI_Aint>(room), 1, MPI_INFO_NULL,
                                   communicator_.get(), &data_, &handle_),
                  "MPI_Win_allocate");
        check_mpi(MPI_Win_set_errhandler(handle_, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
        check_mpi(MPI_Win_lock_all(0, handle_), "MPI_Win_lock_all");
    }
    Window(Window&& other) noexcept
        : communicator_(std::move(other.communicator_)),
          handle_(std::exchange(other.handle_, MPI_WIN_NULL)),
          data_(std::exchange(other.data_, nullptr)),
          size_(std::exchange(other.size_, 0)),
          exceptions_(other.exceptions_) {}
    Window& operator=(Window&& other) noexcept {
        std::swap(communicator_, other.communicator_);
        std::swap(handle_, other.handle_);
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(exceptions_, other.exceptions_);
        return *this;
    }
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;
    /// Waits for the other ranks. While an exception ends its scope they may never come: then the
    /// window is left to the end of the program.
    ~Window() {
        int finalized = 0;
        MPI_Finalized(&finalized);
        if (handle_ == MPI_WIN_NULL || finalized != 0 || std::uncaught_exceptions() > exceptions_)
            return;
        MPI_Win_unlock_all(handle_);
        MPI_Win_free(&handle_);
    }

    [[nodiscard]] MPI_Win get() const { return handle_; }
    [[nodiscard]] const Communicator& communicator() const { return communicator_; }
    [[nodiscard]] std::byte* data() const { return data_; }
    [[nodiscard]] std::size_t size() const { return size_; }

  private:
    Communicator communicator_;
    MPI_Win handle_ = MPI_WIN_NULL;
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    int exceptions_;
};

}  // namespace lapwing

#pragma once

#include <mpi.h>

#include <utility>

#include "lapwing/transport/failure/end_job.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing {

/// Owns a duplicate of a communicator, on which the library's messages never meet the program's.
/// Its errors are thrown as `MpiError`. Once there is one, an exception that leaves a template
/// takes the job down (see `on_failure`).
class Communicator {
  public:
    explicit Communicator(MPI_Comm original = MPI_COMM_WORLD) {
        check_mpi(MPI_Comm_dup(original, &handle_), "MPI_Comm_dup");
        take_charge();
    }
    /// The ranks of `original` that share memory with this one, in their order there. Collective
    /// over `original`.
    [[nodiscard]] static Communicator of_node(MPI_Comm original = MPI_COMM_WORLD) {
        Communicator node(Nobody{});
        check_mpi(
            MPI_Comm_split_type(original, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node.handle_),
            "MPI_Comm_split_type");
        node.take_charge();
        return node;
    }
    Communicator(Communicator&& other) noexcept
        : handle_(std::exchange(other.handle_, MPI_COMM_NULL)) {}
    Communicator& operator=(Communicator&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;
    ~Communicator() {
        int finalized = 0;
        MPI_Finalized(&finalized);
        if (handle_ != MPI_COMM_NULL && finalized == 0) MPI_Comm_free(&handle_);
    }

    [[nodiscard]] MPI_Comm get() const { return handle_; }
    [[nodiscard]] int rank() const {
        int rank = 0;
        MPI_Comm_rank(handle_, &rank);
        return rank;
    }
    [[nodiscard]] int size() const {
        int size = 0;
        MPI_Comm_size(handle_, &size);
        return size;
    }

  private:
    struct Nobody {};
    explicit Communicator(Nobody) {}
    void take_charge() {
        check_mpi(MPI_Comm_set_errhandler(handle_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
        end_job_on_failure();
    }

    MPI_Comm handle_ = MPI_COMM_NULL;
};

}  // namespace lapwing

#pragma once

#include <mpi.h>

#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/mpi/request.hpp"

namespace lapwing {

/// A non-blocking barrier by dissemination (Hensgen, Finkel, Manber 1988): in round k each rank
/// sends to the one 2^k behind it. MPI's own uses whatever algorithm it likes, and some release the
/// ranks one after the other. It advances in `wait` alone: where several are under way, all ranks
/// wait for them in the same order.
class Barrier {
  public:
    /// `ranks` outlives it, and carries no other messages while it is under way.
    explicit Barrier(const Communicator& ranks)
        : ranks_(ranks), size_(ranks.size()), distance_(size_) {}

    /// Says that this rank has arrived. Not while the barrier is under way.
    void begin() {
        distance_ = 1;
        tell();
    }
    /// Returns when all ranks have arrived. Does nothing if this one has not called `begin`.
    void wait() {
        while (distance_ < size_) {
            arriving_.wait();
            leaving_.wait();
            distance_ *= 2;
            tell();
        }
    }

  private:
    void tell() {
        if (distance_ >= size_) return;
        constexpr int tag = 0;
        const int rank = ranks_.rank();
        const int before = (rank + size_ - distance_) % size_;
        const int behind = (rank + distance_) % size_;
        MPI_Request handle = MPI_REQUEST_NULL;
        check_mpi(MPI_Irecv(nullptr, 0, MPI_BYTE, before, tag, ranks_.get(), &handle), "MPI_Irecv",
                  before);
        arriving_ = MpiRequest(handle, before);
        check_mpi(MPI_Isend(nullptr, 0, MPI_BYTE, behind, tag, ranks_.get(), &handle), "MPI_Isend",
                  behind);
        leaving_ = MpiRequest(handle, behind);
    }

    const Communicator& ranks_;
    int size_;
    int distance_;  ///< to the rank that was told last; `size_`: no barrier is under way
    MpiRequest arriving_;
    MpiRequest leaving_;
};

}  // namespace lapwing

#pragma once

#include <mpi.h>

#include <climits>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing::fft {

/// Owns the MPI type of one row. Counting in rows keeps counts within `int`, in which MPI counts,
/// where bytes would exceed it.
class RowType {
  public:
    /// `bytes`: of a row. Throws `std::invalid_argument` if they exceed an `int`.
    explicit RowType(std::size_t bytes) {
        if (bytes > INT_MAX)
            throw std::invalid_argument("fft: a row is longer than MPI can count, 2^31 bytes");
        check_mpi(MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &handle_),
                  "MPI_Type_contiguous");
        check_mpi(MPI_Type_commit(&handle_), "MPI_Type_commit");
    }
    RowType(const RowType&) = delete;
    RowType& operator=(const RowType&) = delete;
    ~RowType() { MPI_Type_free(&handle_); }

    [[nodiscard]] MPI_Datatype get() const { return handle_; }

  private:
    MPI_Datatype handle_ = MPI_DATATYPE_NULL;
};

}  // namespace lapwing::fft

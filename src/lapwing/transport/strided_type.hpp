#pragma once

#include <mpi.h>

#include "lapwing/transport/mpi_error.hpp"

namespace lapwing {

/// Owns the MPI type of `count` doubles, each `stride` doubles after the one before it; side by
/// side where that is 1.
class StridedType {
  public:
    StridedType(int count, int stride) {
        if (stride == 1) {
            check_mpi(MPI_Type_contiguous(count, MPI_DOUBLE, &handle_), "MPI_Type_contiguous");
        } else {
            check_mpi(MPI_Type_vector(count, 1, stride, MPI_DOUBLE, &handle_), "MPI_Type_vector");
        }
        check_mpi(MPI_Type_commit(&handle_), "MPI_Type_commit");
    }
    StridedType(const StridedType&) = delete;
    StridedType& operator=(const StridedType&) = delete;
    ~StridedType() { MPI_Type_free(&handle_); }

    [[nodiscard]] MPI_Datatype get() const { return handle_; }

  private:
    MPI_Datatype handle_ = MPI_DATATYPE_NULL;
};

}  // namespace lapwing

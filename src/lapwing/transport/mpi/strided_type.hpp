#pragma once

#include <mpi.h>

#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing {

/// Owns the MPI type of `count` blocks of `length` doubles that begin `stride` doubles apart. Where
/// there are no gaps, it is a contiguous type.
class StridedType {
  public:
    StridedType(int count, int stride, int length = 1) {
        if (stride == length) {
            check_mpi(MPI_Type_contiguous(count * length, MPI_DOUBLE, &handle_),
                      "MPI_Type_contiguous");
        } else {
            check_mpi(MPI_Type_vector(count, length, stride, MPI_DOUBLE, &handle_),
                      "MPI_Type_vector");
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

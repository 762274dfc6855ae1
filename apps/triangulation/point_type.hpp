#pragma once

#include <mpi.h>

#include <type_traits>

#include "lapwing/transport/mpi/mpi_error.hpp"
#include "point.hpp"

namespace lapwing::triangulation {

static_assert(std::is_trivially_copyable_v<Point> && sizeof(Face) == 3 * sizeof(Point),
              "points and faces travel as bytes");

/// Owns the MPI data type of a point.
class PointType {
  public:
    PointType() {
        check_mpi(MPI_Type_contiguous(sizeof(Point), MPI_BYTE, &type_), "MPI_Type_contiguous");
        check_mpi(MPI_Type_commit(&type_), "MPI_Type_commit");
    }
    PointType(const PointType&) = delete;
    PointType& operator=(const PointType&) = delete;
    ~PointType() { MPI_Type_free(&type_); }

    [[nodiscard]] MPI_Datatype get() const { return type_; }

  private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace lapwing::triangulation

#pragma once

#include <mpi.h>

#include <functional>

#include "result.hpp"

namespace lapwing::triangulation {

/// Triangulates the points of `job` on all ranks of `original`. Each rank has a vertical strip; it
/// fetches the border of the strips beside it, asks other ranks about the faces that are not
/// certain yet, and inserts its own points meanwhile. Each triangle belongs to the rank of its
/// first vertex in lexicographic order. `tell(share, what)` reports progress on rank 0.
///
/// Throws `std::invalid_argument` and `std::runtime_error` for an input that cannot be read, and as
/// `lapwing::plan` does.
[[nodiscard]] Result run(MPI_Comm original, const Job& job,
                         const std::function<void(double, const char*)>& tell = {});

}  // namespace lapwing::triangulation

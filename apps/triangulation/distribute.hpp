#pragma once

#include <cstdint>
#include <vector>

#include "lapwing/transport/mpi/communicator.hpp"
#include "point.hpp"
#include "result.hpp"

namespace lapwing::triangulation {

/// The points of this rank's strip, in lexicographic order, one for each place.
struct Distributed {
    std::uint64_t points = 0;  ///< of all ranks, also those in one place
    std::vector<Point> own;
};

/// Makes the points of a job, or reads them at rank 0, and gives each rank those of its strip. All
/// strips have about as many: their borders are quantiles of a regular sample. Collective over
/// `ranks`. Throws as `read_points`.
[[nodiscard]] Distributed distribute(const Communicator& ranks, const Job& job);

/// All points of a job, at rank 0 alone, nothing elsewhere.
[[nodiscard]] std::vector<Point> all_points(const Communicator& ranks, const Job& job);

}  // namespace lapwing::triangulation

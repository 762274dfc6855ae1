#pragma once

#include <mpi.h>

#include <limits>

#include "lapwing/compute/clock.hpp"
#include "lapwing/transport/mpi/communicator.hpp"

namespace lapwing {

/// Many ranks that measure together.
///
/// They start at a moment that rank 0 names and each rank waits for on its own clock, whose offset
/// is measured once. A barrier would not do: ranks leave it one after another, as far apart as a
/// small message takes.
class RankGroup {
  public:
    /// All ranks of `communicator` construct one together.
    explicit RankGroup(MPI_Comm communicator);

    [[nodiscard]] int rank() const { return communicator_.rank(); }
    [[nodiscard]] int size() const { return communicator_.size(); }
    [[nodiscard]] MPI_Comm communicator() const { return communicator_.get(); }

    /// Reduces the group to its first `count` ranks. All ranks call it; true on those that stay.
    bool keep(int count);

    /// All ranks return at the same moment. The result is that moment on the rank's own clock.
    double start_together();

    /// The largest `value` of all ranks, on all ranks.
    double max(double value) { return combine(value, MPI_MAX); }
    /// The sum of all ranks' values, on all ranks.
    double sum(double value) { return combine(value, MPI_SUM); }
    /// Rank 0's value, on all ranks.
    double broadcast(double value);

  private:
    void adjust(double late);
    double combine(double value, MPI_Op operation);

    Communicator communicator_;
    double offset_ = 0;       ///< seconds to add to rank 0's clock for this rank's
    double ahead_ = 0;        ///< seconds between naming a moment and the moment
    double least_ahead_ = 0;  ///< the least that this may be
    double rest_ = 0;  ///< seconds by which the last moment was put off, to leave the core idle
    /// Seconds by which the last moment had passed when this rank heard of it; negative if it heard
    /// in time.
    double late_ = std::numeric_limits<double>::lowest();
    double last_start_ = now();
};

}  // namespace lapwing

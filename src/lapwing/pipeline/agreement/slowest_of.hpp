#pragma once

#include <mpi.h>

#include <array>

#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/tuner/step_times.hpp"

namespace lapwing {

/// Makes the tuners of several ranks decide alike: tells each of them the longest times that any
/// rank saw. To be passed to `tuned` on all ranks. Collective over them each time a decision is
/// due.
class SlowestOf {
  public:
    /// Collective over `ranks`.
    explicit SlowestOf(MPI_Comm ranks = MPI_COMM_WORLD) : ranks_(ranks) {}

    StepTimes operator()(const StepTimes& mine) const {
        std::array<double, 3> times{mine.elapsed, mine.computation, mine.wait};
        check_mpi(MPI_Allreduce(MPI_IN_PLACE, times.data(), static_cast<int>(times.size()),
                                MPI_DOUBLE, MPI_MAX, ranks_.get()),
                  "MPI_Allreduce");
        return {.elapsed = times[0], .computation = times[1], .wait = times[2]};
    }

  private:
    Communicator ranks_;
};

}  // namespace lapwing

#pragma once

#include <mpi.h>

#include <functional>

namespace lapwing {

/// Starts an operation on all ranks at one moment of the clock, and times it until the last rank is
/// done. A barrier would not do: ranks leave it as far apart as a small operation takes. The class
/// itself sends messages between two ranks only, never a collective operation, for the algorithm of
/// that may be what is timed.
class TimedStart {
  public:
    /// All ranks of `communicator` construct one together; they compare their clocks.
    explicit TimedStart(MPI_Comm communicator);

    /// Seconds from the common start of `action` until the last rank is done with it, the same on
    /// all ranks, which call this together. If a rank comes too late to the start, all begin again
    /// with more lead; the lead shrinks again while nobody is late. Throws `std::runtime_error` if
    /// some rank is late every time.
    ///
    /// `warm_up` runs right before each start and is not timed: after a rest, the first thing that
    /// runs meets cold caches and a processor that has slowed down.
    double time(
        const std::function<void()>& action, const std::function<void()>& warm_up = [] {});

    /// The largest `value` of all ranks, on all ranks.
    double latest(double value) const;

  private:
    void yield_core();
    void send(double value, int to) const;
    [[nodiscard]] double receive(int from) const;

    MPI_Comm communicator_;
    int rank_ = 0;
    int size_ = 1;
    double ahead_ = 0;    ///< seconds this rank's clock is ahead of rank 0's
    double slack_;        ///< seconds from naming a start to the start
    double yielded_ = 0;  ///< when this rank last left its core idle
};

}  // namespace lapwing

#pragma once

#include <mpi.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "lapwing/calibrate/ranks/rank_skew.hpp"
#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/clock.hpp"
#include "lapwing/transport/mpi/clock_offset.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"

#ifndef LAPWING_SMPI
#include <chrono>
#include <thread>
#endif

namespace lapwing {

/// Starts an operation on all ranks at one moment by the clock, and tells when the last of them is
/// done. Not behind a barrier: ranks leave one as much apart as a small operation takes. What it
/// sends itself are messages between two ranks, never a collective operation, whose algorithm may
/// be what is timed.
class TimedStart {
  public:
    /// All ranks of `communicator` make one together; they compare their clocks.
    explicit TimedStart(MPI_Comm communicator) : communicator_(communicator) {
        MPI_Comm_rank(communicator_, &rank_);
        MPI_Comm_size(communicator_, &size_);
        for (int other = 1; other < size_; ++other) {
            if (rank_ == 0) clock_offset(communicator_, true, other);
            if (rank_ == other) ahead_ = clock_offset(communicator_, false, 0);
        }
    }

    /// Seconds from the common start of `action` until the last rank is done with it, the same on
    /// all ranks, which call this together. Where a rank came too late to the start, what was done
    /// does not count and all begin again, with more time to come; there is less again when nobody
    /// is late. Throws `std::runtime_error` with one line if some rank always is.
    template <class Action>
    double time(Action&& action) {
        return time(action, [] {});
    }
    /// `warm_up` comes right before each start and is not timed: after a rest, what runs first
    /// meets cold caches and a processor that has slowed down.
    template <class Action, class WarmUp>
    double time(Action&& action, WarmUp&& warm_up) {
        for (int i = 0; i < most_starts; ++i) {
            breathe();
            warm_up();
            const double start = latest(now() - ahead_) + slack_;
            const bool late = now() - ahead_ >= start;
            wait_until(start + ahead_ + rank_skew(rank_));
            action();
            const double end = now() - ahead_;
            const double seconds = latest(late ? too_late : end - start);
            if (seconds < too_late) {
                slack_ = std::max(least_slack, 0.9 * slack_);
                return seconds;
            }
            slack_ = std::min(2 * slack_, most_slack);
        }
        throw std::runtime_error("some rank is late to every start: the machine is too busy");
    }

    /// The largest `value` of all ranks, on all of them.
    double latest(double value) const {
        double largest = value;
        if (rank_ != 0) {
            send(value, 0);
            return receive(0);
        }
        for (int other = 1; other < size_; ++other) largest = std::max(largest, receive(other));
        for (int other = 1; other < size_; ++other) send(largest, other);
        return largest;
    }

  private:
    static constexpr double too_late = std::numeric_limits<double>::max();
    static constexpr double most_slack = 1;  ///< second
    static constexpr int most_starts = 40;
    /// Seconds for everyone to hear of the start, and no more: what rests for longer starts slowly,
    /// over TCP within 100 us. Simulated time costs nothing.
    static constexpr double least_slack = simulated_time ? most_slack : 60e-6;
    static constexpr int tag = 32764;

    /// A rank at real-time priority has to leave its processor idle now and then, for a twentieth
    /// of the time. Not before each start: what has slept is slow for longer than one warms up.
    void breathe() {
#ifndef LAPWING_SMPI
        if (now() - breathed_ < 50e-3) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        breathed_ = now();
#endif
    }

    void send(double value, int to) const {
        check_mpi(MPI_Send(&value, 1, MPI_DOUBLE, to, tag, communicator_), "MPI_Send", to);
    }
    [[nodiscard]] double receive(int from) const {
        double value = 0;
        check_mpi(MPI_Recv(&value, 1, MPI_DOUBLE, from, tag, communicator_, MPI_STATUS_IGNORE),
                  "MPI_Recv", from);
        return value;
    }

    MPI_Comm communicator_;
    int rank_ = 0;
    int size_ = 1;
    double ahead_ = 0;  ///< seconds this rank's clock is ahead of rank 0's
    double slack_ = least_slack;
    double breathed_ = 0;  ///< when it last did
};

}  // namespace lapwing

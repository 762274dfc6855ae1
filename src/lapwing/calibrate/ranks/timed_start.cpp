#include "lapwing/calibrate/ranks/timed_start.hpp"

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
namespace {

constexpr double too_late = std::numeric_limits<double>::max();
constexpr double most_slack = 1;  // second
constexpr int most_starts = 40;
/// Seconds for every rank to hear of the start, and no more: after a longer rest, within 100 us
/// over TCP, a rank starts slowly. In simulated time slack costs nothing.
constexpr double least_slack = simulated_time ? most_slack : 60e-6;
constexpr int start_tag = 32764;

}  // namespace

TimedStart::TimedStart(MPI_Comm communicator) : communicator_(communicator), slack_(least_slack) {
    MPI_Comm_rank(communicator_, &rank_);
    MPI_Comm_size(communicator_, &size_);
    for (int other = 1; other < size_; ++other) {
        if (rank_ == 0) clock_offset(communicator_, true, other);
        if (rank_ == other) ahead_ = clock_offset(communicator_, false, 0);
    }
}

double TimedStart::time(const std::function<void()>& action, const std::function<void()>& warm_up) {
    for (int i = 0; i < most_starts; ++i) {
        yield_core();
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

double TimedStart::latest(double value) const {
    double largest = value;
    if (rank_ != 0) {
        send(value, 0);
        return receive(0);
    }
    for (int other = 1; other < size_; ++other) largest = std::max(largest, receive(other));
    for (int other = 1; other < size_; ++other) send(largest, other);
    return largest;
}

/// A rank at real-time priority has to leave its core idle for a twentieth of the time. Not before
/// each start: after a sleep the core is slow for longer than one warm-up.
void TimedStart::yield_core() {
#ifndef LAPWING_SMPI
    if (now() - yielded_ < 50e-3) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    yielded_ = now();
#endif
}

void TimedStart::send(double value, int to) const {
    check_mpi(MPI_Send(&value, 1, MPI_DOUBLE, to, start_tag, communicator_), "MPI_Send", to);
}

double TimedStart::receive(int from) const {
    double value = 0;
    check_mpi(MPI_Recv(&value, 1, MPI_DOUBLE, from, start_tag, communicator_, MPI_STATUS_IGNORE),
              "MPI_Recv", from);
    return value;
}

}  // namespace lapwing

#include "lapwing/calibrate/ranks/rank_group.hpp"

#include <algorithm>

#include "lapwing/calibrate/ranks/rank_skew.hpp"
#include "lapwing/compute/charge.hpp"
#include "lapwing/transport/mpi/clock_offset.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing {

RankGroup::RankGroup(MPI_Comm communicator) : communicator_(communicator) {
    for (int other = 1; other < size(); ++other) {
        if (rank() == 0) clock_offset(communicator_.get(), true, other);
        if (rank() == other) offset_ = clock_offset(communicator_.get(), false, 0);
    }
    // The first reduction opens connections; the second tells how long it takes to name a moment.
    const double nothing = max(0);
    const double start = now();
    ahead_ = max(nothing);
    const double exchange = now() - start;
    least_ahead_ = simulated_time ? 4 * exchange : 1e-3;
    ahead_ = simulated_time ? least_ahead_ : least_ahead_ + 4 * exchange;
}

bool RankGroup::keep(int count) {
    if (count >= size()) return true;
    MPI_Comm fewer = MPI_COMM_NULL;
    const bool stays = rank() < count;
    check_mpi(MPI_Comm_split(communicator_.get(), stays ? 0 : MPI_UNDEFINED, rank(), &fewer),
              "MPI_Comm_split");
    if (!stays) return false;
    communicator_ = Communicator(fewer);
    MPI_Comm_free(&fewer);
    return true;
}

double RankGroup::start_together() {
    adjust(max(late_));
    // The kernel stops a rank at real-time priority that never leaves its core idle.
    rest_ = simulated_time ? 0 : 0.1 * std::min(now() - last_start_, 0.2);
    const double moment = broadcast(now() + ahead_ + rest_) + offset_;
    late_ = now() - moment;
    wait_until(moment + rank_skew(rank()));
    last_start_ = now();
    return moment;
}

double RankGroup::broadcast(double value) {
    check_mpi(MPI_Bcast(&value, 1, MPI_DOUBLE, 0, communicator_.get()), "MPI_Bcast");
    return value;
}

/// If some rank heard of the last moment `late` seconds after it, moments are named earlier. If all
/// heard in time, the lead shrinks again from one start to the next: the system may have held up a
/// rank only once.
void RankGroup::adjust(double late) {
    const double needed = ahead_ + rest_ + late;
    ahead_ = late > 0 ? ahead_ + 2 * late : std::max({least_ahead_, 0.9 * ahead_, 2 * needed});
}

double RankGroup::combine(double value, MPI_Op operation) {
    double result = 0;
    check_mpi(MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, operation, communicator_.get()),
              "MPI_Allreduce");
    return result;
}

}  // namespace lapwing

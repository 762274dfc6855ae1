#pragma once

#include <mpi.h>

#include <algorithm>
#include <limits>

#include "lapwing/calibrate/ranks/rank_skew.hpp"
#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/clock.hpp"
#include "lapwing/transport/mpi/clock_offset.hpp"
#include "lapwing/transport/mpi/communicator.hpp"

namespace lapwing {

/// Many ranks that measure together.
///
/// They start at a moment that rank 0 names and each waits for on its own clock, whose offset is
/// found once: those who leave a barrier leave it one after another, by as much as a small message
/// takes.
class RankGroup {
  public:
    /// All ranks of `communicator`, which call this together.
    explicit RankGroup(MPI_Comm communicator) : communicator_(communicator) {
        for (int other = 1; other < size(); ++other) {
            if (rank() == 0) clock_offset(communicator_.get(), true, other);
            if (rank() == other) offset_ = clock_offset(communicator_.get(), false, 0);
        }
        // A first exchange opens connections; the second tells how long it takes to name a moment.
        const double nothing = max(0);
        const double start = now();
        ahead_ = max(nothing);
        const double exchange = now() - start;
        least_ahead_ = simulated_time ? 4 * exchange : 1e-3;
        ahead_ = simulated_time ? least_ahead_ : least_ahead_ + 4 * exchange;
    }

    [[nodiscard]] int rank() const { return communicator_.rank(); }
    [[nodiscard]] int size() const { return communicator_.size(); }
    [[nodiscard]] MPI_Comm communicator() const { return communicator_.get(); }

    /// Leaves the first `count` ranks together, which is for all to call; whether this one stays.
    bool keep(int count) {
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

    /// All ranks return at the same moment, which is the result (of each rank's own clock).
    double start_together() {
        adjust(max(late_));
        // The kernel stops a real-time rank that never leaves its core idle.
        rest_ = simulated_time ? 0 : 0.1 * std::min(now() - last_start_, 0.2);
        double moment = now() + ahead_ + rest_;
        check_mpi(MPI_Bcast(&moment, 1, MPI_DOUBLE, 0, communicator_.get()), "MPI_Bcast");
        moment += offset_;
        late_ = now() - moment;
        wait_until(moment + rank_skew(rank()));
        last_start_ = now();
        return moment;
    }

    /// The largest `value` of all ranks, on all.
    double max(double value) { return combine(value, MPI_MAX); }
    /// The sum of all ranks' values, on all.
    double sum(double value) { return combine(value, MPI_SUM); }
    /// Rank 0's value, on all.
    double broadcast(double value) {
        check_mpi(MPI_Bcast(&value, 1, MPI_DOUBLE, 0, communicator_.get()), "MPI_Bcast");
        return value;
    }

  private:
    /// Who was told too late the last time, by `late` seconds, needs to be told earlier. Who was
    /// told in time waits less from one start to the next: the system held somebody up once, not
    /// for ever after.
    void adjust(double late) {
        const double needed = ahead_ + rest_ + late;
        ahead_ = late > 0 ? ahead_ + 2 * late : std::max({least_ahead_, 0.9 * ahead_, 2 * needed});
    }

    double combine(double value, MPI_Op operation) {
        double result = 0;
        check_mpi(MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, operation, communicator_.get()),
                  "MPI_Allreduce");
        return result;
    }

    Communicator communicator_;
    double offset_ = 0;  ///< seconds to add to rank 0's clock for this rank's
    double ahead_ = 0;   ///< seconds between naming a moment and the moment
    double least_ahead_ = 0;
    double rest_ = 0;  ///< seconds by which the last moment was put off, to leave the core idle
    /// Seconds by which the last moment had passed when this rank was told; negative: it was to
    /// come.
    double late_ = std::numeric_limits<double>::lowest();
    double last_start_ = now();
};

}  // namespace lapwing

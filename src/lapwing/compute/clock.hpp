#pragma once

#ifdef LAPWING_SMPI
#include <mpi.h>
#else
#include <chrono>
#include <thread>
#endif

namespace lapwing {

/// Seconds since some moment in the past, which is the same for all ranks of a host; simulated
/// seconds on a simulated cluster. MPI_Wtime would not do elsewhere: Open MPI's begins at a
/// process's first call.
inline double now() {
#ifdef LAPWING_SMPI
    return MPI_Wtime();
#else
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
#endif
}

/// Returns when `now()` is `moment`. Sleeps until shortly before, and spins the rest: a rank of
/// real-time priority must leave its core idle now and then, or the kernel stops it.
inline void wait_until(double moment) {
#ifdef LAPWING_SMPI
    if (const double left = moment - now(); left > 0) smpi_execute(left);
#else
    constexpr double wake_up = 200e-6;
    if (const double left = moment - now() - wake_up; left > 0)
        std::this_thread::sleep_for(std::chrono::duration<double>(left));
    while (now() < moment) {
    }
#endif
}

}  // namespace lapwing

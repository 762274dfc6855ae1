#pragma once

#include <mpi.h>

#ifndef LAPWING_SMPI
#include <chrono>
#include <thread>
#endif

namespace lapwing {

/// Seconds since some moment in the past: simulated seconds on a simulated cluster.
inline double now() { return MPI_Wtime(); }

/// Returns at `moment` (of `now()`). Sleeps until shortly before and spins the rest: a rank that
/// runs at real-time priority must leave its core idle now and then, or the kernel stops it.
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

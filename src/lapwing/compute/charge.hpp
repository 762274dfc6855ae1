#pragma once

#ifdef LAPWING_SMPI
#include <mpi.h>
#endif

namespace lapwing {

/// Whether this program runs in simulated time. There loops cost nothing by themselves; what they
/// would take is charged.
#ifdef LAPWING_SMPI
inline constexpr bool simulated_time = true;
#else
inline constexpr bool simulated_time = false;
#endif

/// Lets `seconds` of simulated time pass as computation. Does nothing in real time.
inline void charge([[maybe_unused]] double seconds) {
#ifdef LAPWING_SMPI
    if (seconds > 0) smpi_execute(seconds);
#endif
}

}  // namespace lapwing

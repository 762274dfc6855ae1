#pragma once

#ifdef LAPWING_SMPI
#include <mpi.h>
#endif

namespace lapwing {

/// Whether computation takes simulated time here. Loops then cost nothing; what they would take is
/// charged instead.
#ifdef LAPWING_SMPI
inline constexpr bool simulated_time = true;
#else
inline constexpr bool simulated_time = false;
#endif

/// Lets `seconds` of simulated time pass as computation; does nothing where computation is real.
inline void charge([[maybe_unused]] double seconds) {
#ifdef LAPWING_SMPI
    if (seconds > 0) smpi_execute(seconds);
#endif
}

}  // namespace lapwing

#pragma once

#include <mpi.h>

#include <cstddef>

#include "lapwing/transport/mpi/mpi_error.hpp"
#include "lapwing/transport/mpi/request.hpp"

// Notified access (Belli and Hoefler 2015): an interface that tells the target of a put that its
// data has arrived. No MPI has it so far. Lapwing's simulated interfaces define these.
extern "C" {

/// MPI_Rput of `bytes` bytes. Its request is complete when the target has them, whose
/// `lapwing_notice` of the same window, rank and tag then is, too.
[[gnu::weak]] int lapwing_rput_notified(const void* from, std::size_t bytes, int target,
                                        MPI_Aint place, MPI_Win window, int tag,
                                        MPI_Request* request);
/// A request for the arrival of a put of rank `origin`. Of several with one tag the first meets the
/// first. Null where it has arrived.
[[gnu::weak]] int lapwing_notice(int origin, MPI_Win window, int tag, MPI_Request* request);

/// How many puts of rank `origin` with this tag have arrived so far: a number in this rank's
/// memory, which it reads at no cost.
[[gnu::weak]] int lapwing_arrivals(int origin, MPI_Win window, int tag, int* count);

}  // extern "C"

namespace lapwing::notified_access {

/// Whether this program's interfaces have it.
[[nodiscard]] inline bool exists() { return lapwing_rput_notified != nullptr; }

[[nodiscard]] inline MpiRequest put(const void* from, std::size_t bytes, int target,
                                    std::size_t offset, MPI_Win window, int tag) {
    MPI_Request handle = MPI_REQUEST_NULL;
    check_mpi(lapwing_rput_notified(from, bytes, target, static_cast<MPI_Aint>(offset), window, tag,
                                    &handle),
              "lapwing_rput_notified", target);
    return {handle, target};
}
[[nodiscard]] inline MpiRequest notice(int origin, MPI_Win window, int tag) {
    MPI_Request handle = MPI_REQUEST_NULL;
    check_mpi(lapwing_notice(origin, window, tag, &handle), "lapwing_notice", origin);
    return {handle, origin};
}

[[nodiscard]] inline int arrivals(int origin, MPI_Win window, int tag) {
    int count = 0;
    check_mpi(lapwing_arrivals(origin, window, tag, &count), "lapwing_arrivals", origin);
    return count;
}

}  // namespace lapwing::notified_access

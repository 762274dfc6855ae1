#pragma once

#include <mpi.h>

#include "lapwing/calibrate/ranks/nodes.hpp"
#include "lapwing/calibrate/sampling/status.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// Measures how nodes are connected, with one rank of each: how many share a leaf switch, and how
/// many links lead up from it. Fills `profile.topology` on rank 0 of `communicator`, whose ranks
/// all call this; leaves it empty if there are fewer than four nodes.
void measure_topology(MPI_Comm communicator, const Nodes& nodes, const StatusCallback& status,
                      Profile& profile);

}  // namespace lapwing

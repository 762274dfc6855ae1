#pragma once

#include <mpi.h>

#include "lapwing/calibrate/ranks/nodes.hpp"

namespace lapwing {

/// Which ranks of `communicator` share a node; all its ranks call it. Ranks of one host in
/// different network namespaces have a network between them and count as different nodes. Simulated
/// ranks share a node if the names of their hosts agree up to a dash: n0-0 and n0-1 are two places
/// on n0.
Nodes find_nodes(MPI_Comm communicator);

}  // namespace lapwing

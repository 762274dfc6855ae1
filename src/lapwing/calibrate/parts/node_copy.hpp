#pragma once

#include <mpi.h>

#include "lapwing/calibrate/ranks/nodes.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// Measures how much more a copied byte costs if all ranks of a node copy at once, since they then
/// wait for the memory of the node.
///
/// All ranks of `communicator` call it, those of rank 0's node copy. `profile.collectives` is
/// necessary on rank 0, whose `node_copy` is the result. It is 0 if rank 0 is alone on its node, or
/// if memory serves all its ranks as fast as one.
void measure_node_copy(MPI_Comm communicator, const Nodes& nodes, Profile& profile);

}  // namespace lapwing

#pragma once

#include <mpi.h>

#include "lapwing/calibrate/ranks/nodes.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// Measures what a copied byte costs the ranks of a node that copy at once, as far as that is more
/// than they take alone: then the memory of the node is what they wait for.
///
/// All ranks of `communicator` call it, those of rank 0's node copy. `profile.collectives` must be
/// there on rank 0, whose `node_copy` is the result: 0 if rank 0 is alone on its node, or if memory
/// serves all its ranks as fast as one.
void measure_node_copy(MPI_Comm communicator, const Nodes& nodes, Profile& profile);

}  // namespace lapwing

#pragma once

#include <vector>

#include "lapwing/profile/topology.hpp"

namespace lapwing {

/// Which nodes share a leaf switch with node 0. Their half round trips with node 0 are clearly
/// shorter than those of the others. If they do not follow node 0, none is found.
/// `Topology::reason` says why where no leaf switch can be told. `uplinks` is not filled.
///
/// `half_round_trips`: seconds, from node 0 to node 1, 2, ….
Topology find_leaf_switches(const std::vector<double>& half_round_trips);

}  // namespace lapwing

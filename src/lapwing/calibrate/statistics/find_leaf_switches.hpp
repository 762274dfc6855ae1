#pragma once

#include <vector>

#include "lapwing/profile/topology.hpp"

namespace lapwing {

/// Which nodes share a leaf switch with node 0, told from how far the others are from it: those
/// whose half round trips are clearly shorter, if they are the ones that follow node 0.
/// `Topology::reason` says why where no leaf switch can be told. `uplinks` is not filled.
///
/// `half_round_trips`: seconds, from node 0 to node 1, 2, ….
Topology find_leaf_switches(const std::vector<double>& half_round_trips);

}  // namespace lapwing

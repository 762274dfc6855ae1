#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "lapwing/profile/topology.hpp"

namespace lapwing {

/// Which nodes share a leaf switch with the first, told from how far the others are from it.
/// `half_round_trips`: seconds, from node 0 to node 1, 2, …; where the nearest is nearly as far as
/// the farthest, all are alike.
inline Topology find_leaves(const std::vector<double>& half_round_trips) {
    constexpr double alike = 0.85;
    Topology topology;
    topology.nodes = static_cast<int>(half_round_trips.size()) + 1;
    topology.below = topology.nodes;
    if (half_round_trips.size() < 3) {
        topology.reason = "there are fewer than four nodes to tell";
        return topology;
    }
    const auto [nearest, farthest] =
        std::minmax_element(half_round_trips.begin(), half_round_trips.end());
    if (*nearest > alike * *farthest) {
        topology.reason = "all nodes are as far from each other";
        return topology;
    }
    const double between = (*nearest + *farthest) / 2;
    const auto far = [&](double trip) { return trip > between; };
    const auto first_far = std::find_if(half_round_trips.begin(), half_round_trips.end(), far);
    if (first_far == half_round_trips.begin() ||
        !std::all_of(first_far, half_round_trips.end(), far)) {
        topology.reason = "the nodes near the first are not those that follow it";
        return topology;
    }
    // The middle of each kind: a disturbed one tells nothing.
    const auto middle = [](std::vector<double> trips) {
        std::nth_element(trips.begin(), trips.begin() + static_cast<long>(trips.size() / 2),
                         trips.end());
        return trips[trips.size() / 2];
    };
    topology.below = static_cast<int>(first_far - half_round_trips.begin()) + 1;
    topology.near = middle({half_round_trips.begin(), first_far});
    topology.far = middle({first_far, half_round_trips.end()});
    return topology;
}

}  // namespace lapwing

#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "lapwing/profile/topology.hpp"

namespace lapwing {

/// How far the nodes of one kind are from the first, seconds.
struct Distances {
    /// `trips`: half round trips to one node or more.
    explicit Distances(std::vector<double> trips) : count(trips.size()) {
        std::sort(trips.begin(), trips.end());
        nearest = trips.front();
        middle = trips[trips.size() / 2];
        farthest = trips.back();
    }

    std::size_t count;
    double nearest;
    double middle;  ///< a disturbed one tells nothing
    double farthest;
};

/// Whether these are two kinds and not one whose distances vary: they are far apart, or, where
/// processors take most of the time, much farther from each other than those of one kind are.
inline bool is_bimodal(const Distances& near, const Distances& far) {
    constexpr double alike = 0.85;
    constexpr double same = 0.999;
    constexpr double much = 10;
    if (near.nearest <= alike * far.farthest) return true;
    const double vary = std::max(near.farthest - near.nearest, far.farthest - far.nearest);
    return near.count > 1 && far.count > 1 && near.farthest < same * far.nearest &&
           far.nearest - near.farthest > much * vary;
}

/// Which nodes share a leaf switch with the first, told from how far the others are from it.
/// `half_round_trips`: seconds, from node 0 to node 1, 2, ….
inline Topology find_leaf_switches(const std::vector<double>& half_round_trips) {
    Topology topology;
    topology.nodes = static_cast<int>(half_round_trips.size()) + 1;
    topology.below = topology.nodes;
    if (half_round_trips.size() < 3) {
        topology.reason = "there are fewer than four nodes to tell";
        return topology;
    }
    const auto [nearest, farthest] =
        std::minmax_element(half_round_trips.begin(), half_round_trips.end());
    std::vector<double> near;
    std::vector<double> far;
    for (const double trip : half_round_trips)
        (trip > (*nearest + *farthest) / 2 ? far : near).push_back(trip);
    if (far.empty() || !is_bimodal(Distances(near), Distances(far))) {
        topology.reason = "all nodes are as far from each other";
        return topology;
    }
    if (!std::equal(near.begin(), near.end(), half_round_trips.begin())) {
        topology.reason = "the nodes near the first are not those that follow it";
        return topology;
    }
    topology.below = static_cast<int>(near.size()) + 1;
    topology.near = Distances(near).middle;
    topology.far = Distances(far).middle;
    return topology;
}

}  // namespace lapwing

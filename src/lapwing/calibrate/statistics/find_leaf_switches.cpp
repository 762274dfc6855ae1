#include "lapwing/calibrate/statistics/find_leaf_switches.hpp"

#include <algorithm>
#include <cstddef>

namespace lapwing {
namespace {

/// Half round trips from node 0 to the nodes of one group, seconds.
struct Distances {
    /// `trips`: one at least.
    explicit Distances(std::vector<double> trips) : count(trips.size()) {
        std::sort(trips.begin(), trips.end());
        nearest = trips.front();
        middle = trips[trips.size() / 2];
        farthest = trips.back();
    }

    std::size_t count;
    double nearest;
    double middle;  ///< a single disturbed trip does not change it
    double farthest;
};

/// Whether the two groups are really apart, and not one group whose distances vary: they are far
/// apart, or, where processors take most of the time, much farther from each other than the nodes
/// of one group are.
bool is_bimodal(const Distances& near, const Distances& far) {
    constexpr double alike = 0.85;
    constexpr double same = 0.999;
    constexpr double much = 10;
    if (near.nearest <= alike * far.farthest) return true;
    const double vary = std::max(near.farthest - near.nearest, far.farthest - far.nearest);
    return near.count > 1 && far.count > 1 && near.farthest < same * far.nearest &&
           far.nearest - near.farthest > much * vary;
}

}  // namespace

Topology find_leaf_switches(const std::vector<double>& half_round_trips) {
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

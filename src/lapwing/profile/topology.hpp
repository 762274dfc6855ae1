#pragma once

#include <cstdint>
#include <string>

#include "lapwing/profile/fields.hpp"

namespace lapwing {

/// How the nodes are connected, as messages show it: which nodes are near each other, and how much
/// of their bandwidth is there between the others.
struct Topology {
    int nodes = 0;  ///< nodes that took part, in the order of their ranks
    int below = 0;  ///< consecutive nodes under one leaf switch; all nodes if all are equally near
    int uplinks = 0;     ///< links up from a leaf switch, each as fast as a node's; 0: one switch
    double near = 0;     ///< half a short round trip under one leaf switch, seconds
    double far = 0;      ///< the same from one leaf switch to another
    std::string reason;  ///< why no leaf switches were found

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("nodes", self.nodes, fields::Free{});
        visit("below", self.below, fields::Free{});
        visit("uplinks", self.uplinks, fields::Free{});
        visit("near", self.near, fields::Cost{});
        visit("far", self.far, fields::Cost{});
        visit("reason", self.reason, fields::Free{});
    }
};

}  // namespace lapwing

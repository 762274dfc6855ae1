#pragma once

#include <cstdint>
#include <string>

#include "lapwing/profile/fields.hpp"

namespace lapwing {

/// How the nodes are connected. Messages show which nodes are near each other, and the share of
/// their bandwidth between the others. The rest may be told by people who know the machine.
struct Topology {
    int nodes = 0;  ///< nodes that took part, in the order of their ranks
    int below = 0;  ///< consecutive nodes under one leaf switch; all nodes if all are equally near
    int uplinks = 0;     ///< links up from a leaf switch, each as fast as a node's; 0: one switch
    double near = 0;     ///< half a short round trip under one leaf switch, seconds
    double far = 0;      ///< the same from one leaf switch to another
    std::string reason;  ///< why no leaf switches were found
    /// The network as the owner of the machine describes it, in the words of
    /// `Interconnect::from_text`. It replaces measured leaf switches; "": nobody has described it.
    std::string interconnect = {};
    /// Which nodes ranks are on, in the words of `Placement::from_text`; "": as usual.
    std::string placement = {};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("nodes", self.nodes, fields::Optional{});
        visit("below", self.below, fields::Optional{});
        visit("uplinks", self.uplinks, fields::Optional{});
        visit("near", self.near, fields::DefaultCost{});
        visit("far", self.far, fields::DefaultCost{});
        visit("reason", self.reason, fields::Optional{});
        visit("interconnect", self.interconnect, fields::OptionalText{});
        visit("placement", self.placement, fields::OptionalText{});
    }
};

}  // namespace lapwing

#pragma once

#include <cstdint>
#include <string>

#include "lapwing/profile/fields.hpp"

namespace lapwing {

/// How the nodes are connected, as far as messages tell: which of them are near each other, and
/// how much of their bandwidth there is between those that are not.
struct Topology {
    int nodes = 0;    ///< as many as took part, in the order of their ranks
    int below = 0;    ///< nodes under one leaf switch, consecutive; all of them where all are alike
    int uplinks = 0;  ///< links from a leaf switch up, each as fast as a node's; 0: one switch
    double near = 0;  ///< half a short round trip under one leaf switch, seconds
    double far = 0;   ///< the same from one leaf switch to another
    std::string reason;  ///< why no leaves were found

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

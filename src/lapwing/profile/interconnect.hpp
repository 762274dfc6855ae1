#pragma once

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

namespace lapwing {

/// All nodes at one switch, in which nothing contends.
struct SingleSwitch {};

/// A fat tree of two levels.
struct FatTree {
    std::uint32_t below = 1;    ///< nodes under each leaf switch
    std::uint32_t uplinks = 1;  ///< links up from each
    std::uint32_t nodes = 0;    ///< nodes in all; 0: as many as are needed
    bool complete = false;      ///< there are no more than these nodes
};

/// A grid of nodes, each with a switch of its own.
struct Torus {
    std::vector<std::uint32_t> dimensions;  ///< nodes along each; the numbers of nodes run along
                                            ///< the first one first
    bool wraps = true;                      ///< the last node of a line is next to its first
};

/// Groups of switches, every two of which are connected. In a dragonfly the switches of a group are
/// connected each with each (Kim, Dally, Scott, Abts 2008). In a dragonfly+ those with nodes are
/// connected with those without (Shpiner et al. 2017).
struct Dragonfly {
    std::uint32_t groups = 1;
    std::uint32_t leaves = 1;  ///< switches of a group that have nodes
    std::uint32_t spines = 0;  ///< switches of a group that have none; 0: a dragonfly
    std::uint32_t below = 1;   ///< nodes at each leaf
    std::uint32_t local = 1;   ///< links between two switches of a group that are connected
    std::uint32_t global = 1;  ///< links between two groups
    double detour = 0;  ///< share of the pairs of nodes whose messages go through a third group
};

/// How the nodes of a machine are connected, as whoever knows it says.
struct Interconnect {
    std::variant<SingleSwitch, FatTree, Torus, Dragonfly> shape;
    /// Interfaces of a node. Each carries messages in both directions as fast as the one that was
    /// measured; a message uses one of them.
    std::uint32_t interfaces = 1;
    double rate = 1;  ///< bandwidth of a link between switches, in those of an interface
    double hop = 0;   ///< seconds that each link between switches adds to a latency

    /// Reads a description, a shape and then options:
    ///
    ///     flat
    ///     fat-tree:BELOW,UPLINKS         fat-tree:BELOW,UPLINKS,NODES
    ///     torus:4x4x4                    mesh:8x8, which does not wrap around
    ///     dragonfly:GROUPSxSWITCHESxNODES
    ///     dragonfly+:GROUPSxLEAVESxSPINESxNODES
    ///     …,interfaces=6,rate=0.5,hop=100ns
    ///     dragonfly…,local=2,global=4,detour=0.5
    ///
    /// Throws `std::invalid_argument` with one line.
    [[nodiscard]] static Interconnect from_text(std::string_view text);
};

/// The number of nodes; 0 if there are as many as are needed.
[[nodiscard]] std::uint64_t nodes_of(const Interconnect& interconnect);

}  // namespace lapwing

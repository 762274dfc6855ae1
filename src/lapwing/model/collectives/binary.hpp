#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "lapwing/model/collectives/arrivals.hpp"
#include "lapwing/model/collectives/departures.hpp"
#include "lapwing/model/collectives/rounds.hpp"
#include "lapwing/model/network.hpp"

namespace lapwing::model {

/// The subtrees of a rank of a binary tree: `larger` and `smaller` ranks, and the seconds of each;
/// 0 ranks if there is none.
struct BinarySubtrees {
    std::uint64_t larger = 0;
    std::uint64_t smaller = 0;
    double larger_seconds = 0;
    double smaller_seconds = 0;
};

/// The seconds of a binary tree of `ranks` whose subtrees at one depth differ by one rank at most.
/// So there are two sizes at each depth. `node(depth, subtrees)`: the seconds of a tree with these
/// subtrees.
template <class Node>
[[nodiscard]] double binary_tree(std::uint64_t ranks, Node node) {
    if (ranks < 2) return 0;
    // A tree of n - 1 ranks has subtrees of n / 2 - 1 ranks, rounded up and down.
    const std::uint64_t n = ranks + 1;
    std::array<double, 2>
        below{};  // seconds of the trees of (n >> depth) - 1 ranks and of one more
    for (std::uint32_t depth = floor_log(n); depth-- > 0;) {
        const std::uint64_t least = n >> (depth + 1);
        std::array<double, 2> here{};
        for (std::uint64_t more = 0; more < 2; ++more) {
            const std::uint64_t size = (n >> depth) + more;
            if (size < 3 || (depth == 0 && more == 1)) continue;
            const std::uint64_t smaller = size / 2;
            const std::uint64_t larger = size - smaller;
            here[more] = node(depth, BinarySubtrees{larger - 1, smaller - 1, below[larger - least],
                                                    below[smaller - least]});
        }
        below = here;
    }
    return below[0];
}

/// A message of `size` bytes that goes over a binary tree of `ranks` in segments of at most
/// `segment` bytes.
struct BinarySegments {
    double bytes = 0;     ///< of a segment
    double others = 0;    ///< number of segments behind the first
    MessageCost cost;     ///< of a segment between nodes, if there are several
    double children = 0;  ///< of an inner rank
    double wire = 0;  ///< seconds of a segment on the interface, which the ranks of a node share

    BinarySegments(const Network& network, std::uint64_t ranks, std::uint64_t size,
                   std::uint64_t segment) {
        const std::uint64_t count = std::max<std::uint64_t>(1, share(size, segment));
        const std::uint64_t far = ranks > network.ranks_per_node ? network.ranks_per_node : 1;
        bytes = static_cast<double>(share(size, count));
        others = static_cast<double>(count - 1);
        cost = network.message(bytes, far);
        children = ranks > 2 ? 2 : 1;
        wire = cost.wire * (far < network.ranks_per_node ? 1.0 : static_cast<double>(far));
    }
};

/// The message of `size` bytes to a child `distance` away, of a rank `depth` levels below the root.
/// The ranks of its level that are on its node send over its interface at the same time.
[[nodiscard]] inline MessageCost to_child(const Network& network, double size,
                                          std::uint64_t distance, std::uint32_t depth) {
    MessageCost cost = network.message(size, distance);
    if (network.ranks_per_node > 1 && distance >= network.ranks_per_node)
        cost.wire *=
            static_cast<double>(std::min(network.ranks_per_node, std::uint64_t{1} << depth));
    return cost;
}

/// Down a binary tree, with `h` levels below the root `h (T(m) + max(o_s, G m))` if it is full.
[[nodiscard]] inline double down_binary_tree(const Network& network, std::uint64_t ranks,
                                             double size) {
    Departures sent(network);
    return binary_tree(ranks, [&](std::uint32_t depth, const BinarySubtrees& below) {
        const std::uint64_t distance = std::uint64_t{1} << depth;
        const MessageCost near = to_child(network, size, distance, depth);
        if (below.smaller == 0) return near.total() + below.larger_seconds;
        const MessageCost far = to_child(network, size, 2 * distance, depth);
        sent.clear();
        sent.add(near, distance < network.ranks_per_node);
        sent.add(far, 2 * distance < network.ranks_per_node);
        sent.end();
        return std::max(sent.received(0) + below.larger_seconds,
                        sent.received(1) + below.smaller_seconds);
    });
}

/// Up a binary tree, with `h` levels below the root `h (T(m) + max(G m, o_r))` if it is full.
[[nodiscard]] inline double up_binary_tree(const Network& network, std::uint64_t ranks,
                                           double size) {
    return binary_tree(ranks, [&](std::uint32_t depth, const BinarySubtrees& below) {
        const std::uint64_t distance = std::uint64_t{1} << depth;
        const Arrival larger{to_child(network, size, distance, depth), below.larger_seconds,
                             distance < network.ranks_per_node};
        if (below.smaller == 0) return below.larger_seconds + larger.cost.total();
        const Arrival smaller{to_child(network, size, 2 * distance, depth), below.smaller_seconds,
                              2 * distance < network.ranks_per_node};
        return received_both(network, smaller, larger);
    });
}

/// Up the in-order binary tree, whose root is the last rank: the smaller subtree is that of the
/// rank before.
[[nodiscard]] inline double up_in_order_binary_tree(const Network& network, std::uint64_t ranks,
                                                    double size) {
    return binary_tree(ranks, [&](std::uint32_t, const BinarySubtrees& below) {
        const std::uint64_t distance = below.smaller + 1;
        const Arrival larger{network.message(size, distance), below.larger_seconds,
                             distance < network.ranks_per_node};
        if (below.smaller == 0) return below.larger_seconds + larger.cost.total();
        const Arrival smaller{network.message(size, 1), below.smaller_seconds,
                              network.ranks_per_node > 1};
        return received_both(network, smaller, larger);
    });
}

/// Less than any binary tree of `ranks` takes: the messages to its lowest full level, or from
/// there.
[[nodiscard]] inline double least_of_binary_tree(const Network& network, std::uint64_t ranks,
                                                 double size) {
    if (ranks < 2) return 0;
    return (1 - 1e-12) * (floor_log(ranks + 1) - 1) * least_message(network, size);
}

}  // namespace lapwing::model

#pragma once

#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::simulate {

/// A tree with the children of each rank in reverse order.
template <class Tree>
struct ReversedTree {
    Tree tree;

    [[nodiscard]] Rank root() const { return tree.root(); }
    [[nodiscard]] Rank parent(Rank rank) const { return tree.parent(rank); }
    [[nodiscard]] std::uint32_t children(Rank rank) const { return tree.children(rank); }
    [[nodiscard]] Rank child(Rank rank, std::uint32_t i) const {
        return tree.child(rank, tree.children(rank) - 1 - i);
    }
    [[nodiscard]] std::uint32_t place(Rank rank) const {
        return tree.children(tree.parent(rank)) - 1 - tree.place(rank);
    }
};

}  // namespace lapwing::simulate

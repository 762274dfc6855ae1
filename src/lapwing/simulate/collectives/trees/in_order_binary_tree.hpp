#pragma once

#include <cstdint>

#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::simulate {

/// Open MPI's in-order binary tree of ranks 0 to `ranks - 1`, with which a reduction keeps the
/// order of the ranks. The last rank is the root. The upper half of the others is below its first
/// child, the lower half below its second, and so on. The root of a subtree is its last rank.
class InOrderBinaryTree {
  public:
    explicit InOrderBinaryTree(Rank ranks) : ranks_(ranks) {}

    [[nodiscard]] Rank root() const { return ranks_ - 1; }
    [[nodiscard]] Rank parent(Rank rank) const { return find(rank).parent; }
    [[nodiscard]] std::uint32_t children(Rank rank) const {
        const Rank below = find(rank).size - 1;
        return below < 2 ? below : 2;
    }
    [[nodiscard]] Rank child(Rank rank, std::uint32_t i) const {
        if (i == 0) return rank - 1;
        const Rank size = find(rank).size;
        return rank - (size - size / 2);
    }
    /// The position of `rank` among its parent's children.
    [[nodiscard]] std::uint32_t place(Rank rank) const { return find(rank).place; }

  private:
    /// The subtree below a rank.
    struct Subtree {
        Rank parent = 0;
        Rank size = 0;
        std::uint32_t place = 0;
    };
    [[nodiscard]] Subtree find(Rank rank) const {
        Subtree tree{.parent = 0, .size = ranks_, .place = 0};
        Rank root = ranks_ - 1;
        while (rank != root) {
            tree.parent = root;
            // With two ranks the only child is the first one.
            const Rank lower = tree.size == 2 ? 0 : tree.size / 2;
            const Rank upper = tree.size - 1 - lower;
            tree.place = rank + upper < root ? 1 : 0;
            root -= tree.place == 0 ? 1 : 1 + upper;
            tree.size = tree.place == 0 ? upper : lower;
        }
        return tree;
    }

    Rank ranks_;
};

}  // namespace lapwing::simulate

#pragma once

#include <bit>

#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::simulate {

/// Open MPI's binary tree of ranks 0 to `ranks - 1`, filled level by level. Level l begins with
/// rank 2^l - 1. Rank r of that level has the children r + 2^l and r + 2^(l+1). So of the two
/// subtrees of a rank the first has as many ranks as the second, or one more.
struct BinaryTree {
    Rank ranks;

    [[nodiscard]] static Rank root() { return 0; }
    [[nodiscard]] static Rank parent(Rank rank) {
        const Rank above = Rank{1} << (level(rank) - 1);
        return level(rank - above) < level(rank) ? rank - above : rank - 2 * above;
    }
    [[nodiscard]] std::uint32_t children(Rank rank) const {
        const std::uint64_t first = rank + (std::uint64_t{1} << level(rank));
        const std::uint64_t second = rank + (std::uint64_t{2} << level(rank));
        return (first < ranks ? 1U : 0U) + (second < ranks ? 1U : 0U);
    }
    [[nodiscard]] static Rank child(Rank rank, std::uint32_t i) {
        return rank + ((i + 1) << level(rank));
    }
    /// The position of `rank` among its parent's children.
    [[nodiscard]] static std::uint32_t place(Rank rank) {
        return child(parent(rank), 0) == rank ? 0 : 1;
    }
    [[nodiscard]] static std::uint32_t level(Rank rank) {
        return static_cast<std::uint32_t>(std::bit_width(rank + 1)) - 1;
    }
};

}  // namespace lapwing::simulate

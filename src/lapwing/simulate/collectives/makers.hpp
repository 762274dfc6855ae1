#pragma once

#include <algorithm>
#include <bit>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>

#include "lapwing/simulate/collectives/bcast/bcast_tree.hpp"
#include "lapwing/simulate/collectives/bine/bine_block_by_block.hpp"
#include "lapwing/simulate/collectives/gather_scatter/gather_tree.hpp"
#include "lapwing/simulate/collectives/gather_scatter/scatter_tree.hpp"
#include "lapwing/simulate/collectives/make_collective.hpp"
#include "lapwing/simulate/collectives/reduce/reduce_tree.hpp"
#include "lapwing/simulate/collectives/sequence.hpp"

// What the tables of algorithms are written with.
namespace lapwing::simulate::makers {

/// An algorithm for an operation, and how it is made.
struct Algorithm {
    const char* operation;
    const char* name;
    std::unique_ptr<Collective> (*make)(const CollectiveChoice&);
};

/// The algorithms by operation, the plainest first. After some operations every rank has a whole
/// result. After the others a rank has a part, or one rank has all.
[[nodiscard]] std::span<const Algorithm> algorithms_for_all();
[[nodiscard]] std::span<const Algorithm> algorithms_for_parts();

using Choice = CollectiveChoice;
using Made = std::unique_ptr<Collective>;

[[nodiscard]] inline Parts whole(const Choice& c) { return Parts::equal(c.size, 1); }
/// The message of a broadcast or a reduction, split into a block for each rank.
[[nodiscard]] inline Parts split(const Choice& c) { return Parts::split(c.size, c.ranks); }
/// A block for each rank, each of the size that was asked for.
[[nodiscard]] inline Parts blocks(const Choice& c) { return Parts::equal(c.size, c.ranks); }
/// A whole message, split into a block for each core.
[[nodiscard]] inline Parts core_blocks(const Choice& c) {
    return Parts::split(c.size, std::bit_floor(c.ranks));
}
[[nodiscard]] inline Parts blocks_v(const Choice& c) {
    return c.sizes.empty() ? blocks(c) : Parts::sized(c.sizes);
}

[[nodiscard]] inline std::uint32_t segments(std::uint64_t bytes, std::uint64_t segment) {
    const std::uint64_t count = std::max<std::uint64_t>(1, (bytes + segment - 1) / segment);
    if (count > 0x7FFFFFFFU) throw std::invalid_argument("too many segments");
    return static_cast<std::uint32_t>(count);
}

[[nodiscard]] inline Made sequence(Made first, Made second) {
    return std::make_unique<Sequence>(std::move(first), std::move(second));
}

template <class T, class... Arguments>
[[nodiscard]] Made make(Arguments&&... arguments) {
    return std::make_unique<T>(std::forward<Arguments>(arguments)...);
}

template <class Tree>
[[nodiscard]] Made bcast_tree(Tree tree, const Choice& c, std::uint32_t segments = 1) {
    return make<BcastTree<Tree>>(tree, c.ranks, c.size, segments);
}
template <class Tree>
[[nodiscard]] Made reduce_tree(Tree tree, const Choice& c, std::uint32_t segments = 1) {
    return make<ReduceTree<Tree>>(tree, c.ranks, c.size, segments);
}
template <class Tree>
[[nodiscard]] Made scatter_tree(Tree tree, const Choice& c, const Parts& parts) {
    return make<ScatterTree<Tree>>(tree, c.ranks, parts);
}
template <class Tree>
[[nodiscard]] Made gather_tree(Tree tree, const Choice& c, const Parts& parts) {
    return make<GatherTree<Tree>>(tree, c.ranks, parts);
}

/// A Bine butterfly with a message for each block, for powers of two of ranks; `Plain` otherwise.
template <class Plain>
[[nodiscard]] Made bine_block_by_block(const Choice& c, BineBlockByBlock::Kind kind) {
    if (!std::has_single_bit(c.ranks)) return make<Plain>(c.ranks, blocks(c));
    return make<BineBlockByBlock>(c.ranks, blocks(c), kind);
}

}  // namespace lapwing::simulate::makers

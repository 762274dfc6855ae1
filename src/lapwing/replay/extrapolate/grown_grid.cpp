#include "lapwing/replay/extrapolate/grown_grid.hpp"

#include <cstddef>

namespace lapwing::replay {
namespace {

/// The shortest dimension, of those that there are.
std::size_t shortest(const RankGrid& grid) {
    std::size_t found = 0;
    for (std::size_t d = 1; d < RankGrid::dimensions; ++d)
        if (grid.sizes[d] > 1 && grid.sizes[d] < grid.sizes[found]) found = d;
    return found;
}

/// Makes a grid `times` as large. The larger factors come last of the recursion's way back, so they
/// are placed first.
void grow(RankGrid& grid, std::int64_t times, std::int64_t divisor = 2) {
    if (times == 1) return;
    while (divisor * divisor <= times && times % divisor != 0) ++divisor;
    const std::int64_t smallest = divisor * divisor <= times ? divisor : times;
    grow(grid, times / smallest, smallest);
    grid.sizes[shortest(grid)] *= smallest;
}

/// Whether a position is so close to an end that some partner is missing.
bool at_border(std::int64_t position, std::int64_t size, std::int64_t reach) {
    return position < reach || position >= size - reach;
}

}  // namespace

std::uint64_t representative(const RankGrid& grid, const Reach& reach, std::uint64_t rank) {
    Position position = grid.position(rank);
    for (std::size_t d = 0; d < RankGrid::dimensions; ++d) {
        if (grid.wraps[d]) {
            position[d] = 0;
        } else if (!at_border(position[d], grid.sizes[d], reach[d])) {
            position[d] = reach[d];
        }
    }
    return grid.rank(position);
}

GrownGrid::GrownGrid(const RankGrid& recorded, const Reach& reach, std::uint64_t ranks)
    : recorded_(recorded), reach_(reach), grown_(recorded) {
    grow(grown_, static_cast<std::int64_t>(ranks / recorded.ranks()));
}

std::uint64_t GrownGrid::model(std::uint64_t rank) const {
    Position position = grown_.position(rank);
    for (std::size_t d = 0; d < RankGrid::dimensions; ++d) {
        const std::int64_t size = recorded_.sizes[d];
        const std::int64_t border = recorded_.wraps[d] ? 0 : reach_[d];
        const std::int64_t more = grown_.sizes[d] - size;
        if (position[d] >= grown_.sizes[d] - border) {
            position[d] -= more;
        } else if (position[d] >= border) {
            position[d] = border + (position[d] - border) % (size - 2 * border);
        }
    }
    return recorded_.rank(position);
}

std::uint64_t GrownGrid::partner(std::uint64_t rank, std::uint64_t peer) const {
    Position position = grown_.position(rank);
    const Position distance = recorded_.distance(model(rank), peer);
    for (std::size_t d = 0; d < RankGrid::dimensions; ++d) position[d] += distance[d];
    return grown_.rank(position);
}

}  // namespace lapwing::replay

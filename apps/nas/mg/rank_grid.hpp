#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace lapwing::nas::mg {

/// The axes of a grid: z is the slowest in memory, x is contiguous.
enum Axis : std::size_t { z = 0, y = 1, x = 2 };
inline constexpr std::size_t axes = 3;

/// A periodic grid of ranks. Slow axes are cut first: their borders are the cheapest to pack.
struct RankGrid {
    std::array<int, axes> ranks{1, 1, 1};  ///< along each axis
    std::array<int, axes> at{};            ///< where this one is

    /// A grid of one rank, which has everything.
    RankGrid() = default;
    /// The grid of `size` ranks, in which this is rank `rank`. Throws `std::invalid_argument`
    /// unless their number is a power of two.
    RankGrid(int rank, int size) {
        if (!std::has_single_bit(static_cast<unsigned>(size)))
            throw std::invalid_argument("NAS MG needs a power of two of ranks, not " +
                                        std::to_string(size));
        for (std::size_t axis = z; (size /= 2) > 0; axis = (axis + 1) % axes) ranks[axis] *= 2;
        at = place(rank);
    }

    /// Where rank `rank` is.
    [[nodiscard]] std::array<int, axes> place(int rank) const {
        return {rank / ranks[x] / ranks[y], rank / ranks[x] % ranks[y], rank % ranks[x]};
    }
    /// The rank `step` places further along an axis.
    [[nodiscard]] int neighbour(std::size_t axis, int step) const {
        auto there = at;
        there[axis] = (at[axis] + step + ranks[axis]) % ranks[axis];
        return (there[z] * ranks[y] + there[y]) * ranks[x] + there[x];
    }
    [[nodiscard]] bool cuts(std::size_t axis) const { return ranks[axis] > 1; }
    /// The most ranks along any axis.
    [[nodiscard]] int longest() const { return ranks[z]; }
};

}  // namespace lapwing::nas::mg

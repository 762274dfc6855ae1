#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lapwing::replay {

/// A place in a grid, or the distance between two; 0 in dimensions that the grid does not have.
using Position = std::array<std::int64_t, 3>;
/// Some of a grid's dimensions.
using Dimensions = std::array<bool, 3>;

/// Ranks in a grid of one to three dimensions, in the order of MPI_Cart_create: along the last
/// dimension they follow one another.
struct RankGrid {
    static constexpr std::size_t dimensions = 3;

    Position sizes{1, 1, 1};
    Dimensions wraps{};  ///< in which the last is beside the first

    [[nodiscard]] std::uint64_t ranks() const {
        return static_cast<std::uint64_t>(sizes[0] * sizes[1] * sizes[2]);
    }
    [[nodiscard]] Position position(std::uint64_t rank) const;
    /// The rank at a position, which may be beyond the last of a dimension that wraps.
    [[nodiscard]] std::uint64_t rank(const Position& position) const;
    /// How far apart two ranks are, by the shorter way where a dimension wraps.
    [[nodiscard]] Position distance(std::uint64_t from, std::uint64_t to) const;
    /// The ranks that have the position of `rank` in all dimensions but these, in their order.
    [[nodiscard]] std::vector<std::uint64_t> subgrid(std::uint64_t rank,
                                                     const Dimensions& free) const;
    /// "4 (periodic) x 3".
    [[nodiscard]] std::string text() const;
};

}  // namespace lapwing::replay

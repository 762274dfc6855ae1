#pragma once

#include <array>
#include <cstddef>

#include "rank_grid.hpp"

namespace lapwing::nas::mg {

/// Points of a grid, by axis: from `first` up to, and without, `last`. A rank's points are numbered
/// from 1; 0 and the one after the last are its neighbours'.
struct Box {
    std::array<std::size_t, axes> first{1, 1, 1};
    std::array<std::size_t, axes> last{1, 1, 1};

    [[nodiscard]] std::size_t length(std::size_t axis) const {
        return last[axis] > first[axis] ? last[axis] - first[axis] : 0;
    }
    [[nodiscard]] std::size_t points() const { return length(z) * length(y) * length(x); }
};

/// The points of a rank in one level of the grid.
struct Extent {
    std::array<std::size_t, axes> points{};

    [[nodiscard]] Box all() const {
        return {{1, 1, 1}, {points[z] + 1, points[y] + 1, points[x] + 1}};
    }
    /// Elements of an array of these points and those around them.
    [[nodiscard]] std::size_t elements() const {
        return (points[z] + 2) * (points[y] + 2) * (points[x] + 2);
    }
    /// Index of a point in such an array.
    [[nodiscard]] std::size_t place(std::size_t k, std::size_t j, std::size_t i) const {
        return (k * (points[y] + 2) + j) * (points[x] + 2) + i;
    }
    /// Elements from a row to the next, and from a plane to the next.
    [[nodiscard]] std::size_t row() const { return points[x] + 2; }
    [[nodiscard]] std::size_t plane() const { return (points[y] + 2) * row(); }
};

}  // namespace lapwing::nas::mg

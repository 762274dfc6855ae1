#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "point.hpp"
#include "strips.hpp"

namespace lapwing::triangulation {

/// Points of a strip that each neighbour is sent at once, of `points` on `ranks` ranks: in a unit
/// square with points everywhere alike, those within five mean distances of points. Circles without
/// a point inside are smaller than that, up to billions of points; elsewhere, or next to a hole,
/// questions find what is missing.
[[nodiscard]] std::uint64_t border_points(std::uint64_t points, std::uint64_t ranks);

/// The points of a rank by when they are inserted.
struct OwnPoints {
    std::vector<Point> frame;     ///< near the border of the strip, and of all points
    std::vector<Point> interior;  ///< the others
};

/// Takes the points of a strip apart. `points`: in lexicographic order. `border`: how many count as
/// near the strip before, and the strip behind; above and below it is as many for the same length.
[[nodiscard]] OwnPoints take_apart(std::span<const Point> points, std::size_t border);

/// What all ranks are told of a strip. `points`, `border`: as for `take_apart`.
[[nodiscard]] Strip describe(std::span<const Point> points, const OwnPoints& own,
                             std::size_t border);

/// The `border` points nearest to the strip before (or behind), nearest first; filled up with
/// points of number `Point::none`. `points`: in lexicographic order.
void copy_border(std::span<const Point> points, bool before, std::span<Point> border);

}  // namespace lapwing::triangulation

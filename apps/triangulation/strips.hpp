#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "point.hpp"
#include "regions.hpp"

namespace lapwing::triangulation {

/// Parts of a strip whose highest and lowest points are known to all.
inline constexpr std::size_t outline_parts = 8;
inline constexpr std::size_t outline_points = 3 + 2 * outline_parts;

/// What all ranks know of a rank's vertical strip. Strips are cut in lexicographic order, so that
/// points in one place are in one strip, and points above each other may be in several.
struct Strip {
    std::uint64_t points = 0;  ///< in different places
    std::uint64_t frame = 0;   ///< of them, those near its border
    Box all;                   ///< around all of them
    Box beyond_first;          ///< around those that the rank before is not sent at once
    Box beyond_last;           ///< around those that the rank behind is not sent at once
    Box interior;              ///< around those that are inserted last
    std::array<Point, outline_points> outline;  ///< first and last, then others, see `outline`

    [[nodiscard]] const Point& first() const { return outline[0]; }
    [[nodiscard]] const Point& last() const { return outline[1]; }
};

/// A few points far out: the first, the last, one beside the line through both, and the highest and
/// the lowest of each of `outline_parts` parts. They lie on one line only if all points do. What is
/// missing has number `Point::none`. `points`: in lexicographic order.
[[nodiscard]] std::array<Point, outline_points> outline(std::span<const Point> points);

/// Where strips begin: `parts - 1` places that cut the points for which `samples` stand into equal
/// parts. `samples`: points, each for as many; of number `Point::none`, it does not count.
[[nodiscard]] std::vector<Point> strip_starts(std::vector<Point> samples, std::size_t parts);

/// How many of `points` lie in each strip. `points`: in lexicographic order.
[[nodiscard]] std::vector<std::size_t> points_by_strip(std::span<const Point> points,
                                                       std::span<const Point> starts);

/// `count` of `points` at equal distances, the rest of number `Point::none` where there are fewer.
[[nodiscard]] std::vector<Point> regular_sample(std::span<const Point> points, std::size_t count);

}  // namespace lapwing::triangulation

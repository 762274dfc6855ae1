#pragma once

#include <cstdint>
#include <limits>
#include <tuple>

namespace lapwing::triangulation {

/// A point of the plane. Its number is its place among all points, from 0.
struct Point {
    /// The number of no point: what fills a list up, and the vertex at infinity.
    static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

    double x = 0;
    double y = 0;
    std::uint64_t number = none;
};

/// Whether `a` lies before `b`, by x, then by y.
[[nodiscard]] inline bool lies_before(const Point& a, const Point& b) {
    return std::tie(a.x, a.y) < std::tie(b.x, b.y);
}
/// The same; of points in one place the smaller number comes first.
[[nodiscard]] inline bool comes_before(const Point& a, const Point& b) {
    return std::tie(a.x, a.y, a.number) < std::tie(b.x, b.y, b.number);
}
[[nodiscard]] inline bool same_place(const Point& a, const Point& b) {
    return a.x == b.x && a.y == b.y;
}

/// A face of a triangulation, its vertices counter-clockwise. Beyond an edge of the convex hull
/// lies a face whose third vertex is at infinity: all that is to the left of the line from `a` to
/// `b`.
struct Face {
    Point a, b, c;

    [[nodiscard]] bool infinite() const { return c.number == Point::none; }
};

}  // namespace lapwing::triangulation

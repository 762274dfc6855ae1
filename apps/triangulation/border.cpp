#include "border.hpp"

#include <algorithm>
#include <cmath>

namespace lapwing::triangulation {

std::uint64_t border_points(std::uint64_t points, std::uint64_t ranks) {
    constexpr double distances = 5;
    const double wanted = std::ceil(distances * std::sqrt(static_cast<double>(points)));
    // No more than there are, a little more than the mean as strips are not quite equal.
    const std::uint64_t strip = points / ranks + points / (8 * ranks) + 1;
    return std::min(static_cast<std::uint64_t>(wanted) + 1, strip);
}

OwnPoints take_apart(std::span<const Point> points, std::size_t border) {
    OwnPoints own;
    if (points.size() <= 2 * border) {
        own.frame.assign(points.begin(), points.end());
        return own;
    }
    own.frame.assign(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(border));
    own.frame.insert(own.frame.end(), points.end() - static_cast<std::ptrdiff_t>(border),
                     points.end());
    const auto middle = points.subspan(border, points.size() - 2 * border);
    const Box box = Box::around(points);
    const double shape = (box.x_most - box.x_least) / (box.y_most - box.y_least);
    const double wanted =
        std::min(static_cast<double>(border) * shape, static_cast<double>(middle.size()) / 2);
    // Also where the strip has no height, and `wanted` is no number.
    const std::size_t each = wanted > 0 ? static_cast<std::size_t>(wanted) : 0;
    std::vector<double> heights;
    heights.reserve(middle.size());
    for (const Point& point : middle) heights.push_back(point.y);
    const auto height = [&](std::size_t place) {
        const auto at = heights.begin() + static_cast<std::ptrdiff_t>(place);
        std::nth_element(heights.begin(), at, heights.end());
        return *at;
    };
    const double low = height(std::min(each, middle.size() - 1));
    const double high = height(middle.size() - 1 - std::min(each, middle.size() - 1));
    for (const Point& point : middle)
        (point.y < low || point.y > high ? own.frame : own.interior).push_back(point);
    return own;
}

Strip describe(std::span<const Point> points, const OwnPoints& own, std::size_t border) {
    Strip strip;
    strip.points = points.size();
    strip.frame = own.frame.size();
    strip.all = Box::around(points);
    const std::size_t beyond = points.size() - std::min(border, points.size());
    strip.beyond_first = Box::around(points.last(beyond));
    strip.beyond_last = Box::around(points.first(beyond));
    strip.interior = Box::around(own.interior);
    strip.outline = outline(points);
    return strip;
}

void copy_border(std::span<const Point> points, bool before, std::span<Point> border) {
    const std::size_t count = std::min(points.size(), border.size());
    if (before) {
        std::ranges::copy(points.first(count), border.begin());
    } else {
        std::reverse_copy(points.end() - static_cast<std::ptrdiff_t>(count), points.end(),
                          border.begin());
    }
    std::ranges::fill(border.subspan(count), Point{});
}

}  // namespace lapwing::triangulation

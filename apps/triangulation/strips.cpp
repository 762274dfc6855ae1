#include "strips.hpp"

#include <algorithm>

#include "delaunay.hpp"

namespace lapwing::triangulation {

std::array<Point, outline_points> outline(std::span<const Point> points) {
    std::array<Point, outline_points> found;
    if (points.empty()) return found;
    found[0] = points.front();
    found[1] = points.back();
    found[2] = point_beside(points.front(), points.back(), points);
    const auto lower = [](const Point& a, const Point& b) { return a.y < b.y; };
    for (std::size_t part = 0; part < outline_parts; ++part) {
        const std::size_t begin = points.size() * part / outline_parts;
        const std::size_t end = points.size() * (part + 1) / outline_parts;
        if (begin == end) continue;
        const auto [lowest, highest] =
            std::ranges::minmax_element(points.subspan(begin, end - begin), lower);
        found[3 + 2 * part] = *lowest;
        found[4 + 2 * part] = *highest;
    }
    return found;
}

std::vector<Point> strip_starts(std::vector<Point> samples, std::size_t parts) {
    std::erase_if(samples, [](const Point& point) { return point.number == Point::none; });
    std::ranges::sort(samples, comes_before);
    std::vector<Point> starts;
    for (std::size_t part = 1; part < parts && !samples.empty(); ++part)
        starts.push_back(samples[samples.size() * part / parts]);
    return starts;
}

std::vector<std::size_t> points_by_strip(std::span<const Point> points,
                                         std::span<const Point> starts) {
    std::vector<std::size_t> counts;
    auto from = points.begin();
    for (const Point& start : starts) {
        const auto to = std::lower_bound(from, points.end(), start, lies_before);
        counts.push_back(static_cast<std::size_t>(to - from));
        from = to;
    }
    counts.push_back(static_cast<std::size_t>(points.end() - from));
    return counts;
}

std::vector<Point> regular_sample(std::span<const Point> points, std::size_t count) {
    std::vector<Point> sample(count);
    const std::size_t taken = std::min(count, points.size());
    for (std::size_t i = 0; i < taken; ++i)
        sample[i] = points[(2 * i + 1) * points.size() / (2 * taken)];
    return sample;
}

}  // namespace lapwing::triangulation

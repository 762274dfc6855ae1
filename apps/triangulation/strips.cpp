#include "strips.hpp"

#include <algorithm>

namespace lapwing::triangulation {

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

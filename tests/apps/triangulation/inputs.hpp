#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "point.hpp"

namespace lapwing::triangulation {

/// Points with a name, most of them in special position.
using Input = std::pair<std::string, std::vector<Point>>;

inline std::vector<Point> numbered(const std::vector<std::pair<double, double>>& places) {
    std::vector<Point> points;
    for (const auto& [x, y] : places) points.push_back({x, y, points.size()});
    return points;
}

/// Points on a lattice that all lie on one circle, exactly.
inline std::vector<std::pair<double, double>> cocircular() {
    constexpr int radius = 5 * 13 * 17;
    std::vector<std::pair<double, double>> places;
    for (int x = -radius; x <= radius; ++x) {
        const int square = radius * radius - x * x;
        const int y = static_cast<int>(std::lround(std::sqrt(square)));
        if (y * y != square) continue;
        places.emplace_back(x, y);
        if (y > 0) places.emplace_back(x, -y);
    }
    return places;
}

/// Few points, all on a line, in one place, on a grid, on a circle, in clusters, and random ones.
inline std::vector<Input> inputs() {
    using Places = std::vector<std::pair<double, double>>;
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> unit;
    std::normal_distribution<double> near(0, 1e-3);
    Places grid, line, upright, one_place, again, circle, clusters, uniform, columns, crooked;
    for (int i = 0; i < 144; ++i) {
        grid.emplace_back(i % 16, i / 16);
        line.emplace_back(i * 0.5, i * 0.25);
        upright.emplace_back(1, unit(random));
        one_place.emplace_back(0.5, 0.25);
        const double angle = 2 * std::numbers::pi * i / 144;
        circle.emplace_back(std::cos(angle), std::sin(angle));
        clusters.emplace_back(i % 3 + near(random), i % 2 + near(random));
        columns.emplace_back(i % 4, unit(random));
        crooked.emplace_back(i, i == 70 ? 1e-9 : 0.0);
    }
    for (int i = 0; i < 400; ++i) uniform.emplace_back(unit(random), unit(random));
    for (int i = 0; i < 300; ++i) again.push_back(uniform[static_cast<std::size_t>(i * 7 % 60)]);
    Places centre = cocircular();
    centre.emplace_back(0, 0);
    return {{"nothing", {}},
            {"one", numbered({{1, 2}})},
            {"two", numbered({{1, 2}, {0, 0}})},
            {"three", numbered({{1, 2}, {0, 0}, {5, 1}})},
            {"square", numbered({{0, 0}, {1, 0}, {0, 1}, {1, 1}})},
            {"zeros", numbered({{0, 0}, {-0.0, 0}, {0, -0.0}, {1, 0}, {1, -0.0}, {0, 1}})},
            {"grid", numbered(grid)},
            {"line", numbered(line)},
            {"upright line", numbered(upright)},
            {"crooked line", numbered(crooked)},
            {"one place", numbered(one_place)},
            {"duplicates", numbered(again)},
            {"almost on a circle", numbered(circle)},
            {"on a circle", numbered(cocircular())},
            {"on a circle, and its centre", numbered(centre)},
            {"clusters", numbered(clusters)},
            {"columns", numbered(columns)},
            {"random", numbered(uniform)}};
}

}  // namespace lapwing::triangulation

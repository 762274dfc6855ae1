#include "regions.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "delaunay.hpp"

using namespace lapwing::triangulation;

namespace {

Box box(double x_least, double x_most, double y_least, double y_most) {
    return {x_least, x_most, y_least, y_most};
}

Box place(const Point& point) { return Box::around({&point, 1}); }

}  // namespace

TEST_CASE("a disk touches the boxes that it reaches, also in one point") {
    const ConflictRegion unit({{1, 0, 0}, {0, 1, 1}, {-1, 0, 2}});
    CHECK(unit.may_touch(box(-9, 9, -9, 9)));
    CHECK(unit.may_touch(box(1, 2, -1, 1)));
    CHECK_FALSE(unit.may_touch(box(1.000001, 2, -1, 1)));
    CHECK(unit.may_touch(box(-0.1, 0.1, -5, -1)));
    CHECK_FALSE(unit.may_touch(box(0.8, 2, 0.8, 2)));
    CHECK_FALSE(unit.may_touch(Box{}));
    CHECK(unit.x_least() <= -1);
    CHECK(unit.x_most() >= 1);
    CHECK(unit.x_most() < 1.000001);
}

TEST_CASE("beyond an edge of the hull lies a half-plane") {
    const ConflictRegion left({{0, 0, 0}, {0, 1, 1}, {}});
    CHECK(left.may_touch(box(-2, -1, 50, 60)));
    CHECK(left.may_touch(box(0, 1, 7, 8)));
    CHECK_FALSE(left.may_touch(box(1e-9, 1, 7, 8)));
    CHECK_FALSE(left.may_touch(Box{}));
}

TEST_CASE("vertices that are almost on a line may be in conflict with anything") {
    const ConflictRegion flat({{0, 0, 0}, {1, 1, 1}, {2, 2 + 1e-15, 2}});
    CHECK(flat.may_touch(box(-1e9, -1e8, 1e8, 1e9)));
}

TEST_CASE("no point in conflict is outside of what is computed with rounding errors") {
    std::mt19937_64 random(5);
    const std::vector<double> scales{1, 1e-3, 1e-12};
    int conflicts = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        // Far from the origin, on a coarse lattice, so that many points lie on circles and lines.
        const double scale = scales[static_cast<std::size_t>(trial) % 3];
        std::uniform_int_distribution<int> coordinate(0, 12);
        std::vector<Point> points;
        for (std::uint64_t number = 0; number < 5; ++number)
            points.push_back({1e3 * scale + coordinate(random) * scale,
                              -7e2 * scale + coordinate(random) * scale, number});
        Delaunay part;
        part.insert(std::span(points).first(4));
        Delaunay whole;
        whole.insert(points);
        std::vector<Face> faces;
        part.for_each_face([&](const Face& face) { faces.push_back(face); });
        for (const Face& face : faces) {
            const auto found = whole.conflicts_with(face);
            for (const Point& point : found) {
                ++conflicts;
                CHECK(ConflictRegion(face).may_touch(place(point)));
            }
        }
    }
    CHECK(conflicts > 1000);
}

#include "points.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <string>
#include <utility>

using namespace lapwing::triangulation;

TEST_CASE("random points depend on seed and number alone, and fill the unit square") {
    constexpr std::uint64_t count = 10'000;
    std::set<std::pair<double, double>> places;
    double x = 0;
    double y = 0;
    bool inside = true;
    for (std::uint64_t number = 0; number < count; ++number) {
        const Point point = random_point(7, number);
        inside = inside && point.number == number && point.x >= 0 && point.x < 1 && point.y >= 0 &&
                 point.y < 1;
        places.emplace(point.x, point.y);
        x += point.x;
        y += point.y;
    }
    CHECK(inside);
    CHECK(places.size() == count);
    CHECK(x / count == Approx(0.5).margin(0.01));
    CHECK(y / count == Approx(0.5).margin(0.01));
    CHECK(same_place(random_point(7, 5), random_point(7, 5)));
    CHECK_FALSE(same_place(random_point(7, 5), random_point(8, 5)));
}

TEST_CASE("points are read from lines of two numbers") {
    const auto points = points_in("1 2\n\n  -3.5e2\t+4 \r\n0.1 1e100", "file");
    REQUIRE(points.size() == 3);
    CHECK((points[0].x == 1 && points[0].y == 2 && points[0].number == 0));
    CHECK((points[1].x == -350 && points[1].y == 4 && points[1].number == 1));
    CHECK((points[2].x == 0.1 && points[2].number == 2));
    CHECK(points_in("", "file").empty());
}

TEST_CASE("a line that is no point is named") {
    for (const std::string line : {"3", "3 4 5", "x y", "1,2", "nan 1", "inf 1", "1 2e100", "1 2x",
                                   "1  ", "- 1", "1e999 0", "++1 2"})
        CHECK_THROWS_WITH(points_in("1 2\n" + line + "\n", "file"),
                          Catch::Contains("file: line 2 is no point"));
}

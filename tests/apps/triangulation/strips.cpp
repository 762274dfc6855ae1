#include "strips.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

#include "border.hpp"
#include "delaunay.hpp"
#include "inputs.hpp"
#include "points.hpp"

using namespace lapwing::triangulation;

namespace {

std::vector<Point> sorted_random(std::uint64_t count) {
    std::vector<Point> points;
    for (std::uint64_t number = 0; number < count; ++number)
        points.push_back(random_point(1, number));
    std::ranges::sort(points, comes_before);
    return points;
}

}  // namespace

TEST_CASE("strips have about as many points each, also on a line from bottom to top") {
    for (const bool upright : {false, true}) {
        auto points = sorted_random(20'000);
        if (upright)
            for (Point& point : points) point.x = 1;
        std::ranges::sort(points, comes_before);
        const auto counts = points_by_strip(points, strip_starts(regular_sample(points, 512), 16));
        REQUIRE(counts.size() == 16);
        CHECK(std::accumulate(counts.begin(), counts.end(), std::size_t{0}) == points.size());
        CHECK(*std::ranges::min_element(counts) > 1150);
        CHECK(*std::ranges::max_element(counts) < 1350);
    }
}

TEST_CASE("points in one place are in one strip") {
    const std::vector<Point> points(100, Point{1, 1, 3});
    const auto counts = points_by_strip(points, strip_starts(points, 4));
    CHECK(*std::ranges::max_element(counts) == 100);
}

TEST_CASE("samples of ranks without points do not count") {
    CHECK(strip_starts(std::vector<Point>(20), 4).empty());
    const auto sample = regular_sample(sorted_random(3), 5);
    CHECK(sample[2].number != Point::none);
    CHECK(sample[3].number == Point::none);
}

TEST_CASE("the frame is what lies near the border, the interior has the rest") {
    const auto points = sorted_random(10'000);
    constexpr std::size_t border = 300;
    const OwnPoints own = take_apart(points, border);
    CHECK(own.frame.size() + own.interior.size() == points.size());
    // As many above and below as before and behind: the points fill a square.
    CHECK(own.frame.size() > 4 * border - 100);
    CHECK(own.frame.size() < 4 * border + 100);
    const Strip strip = describe(points, own, border);
    CHECK(strip.interior.x_least > 0.02);
    CHECK(strip.interior.y_most < 0.98);
    CHECK(strip.beyond_first.x_least == points[border].x);
    CHECK(strip.beyond_last.x_most == points[points.size() - border - 1].x);
    CHECK(same_place(strip.first(), points.front()));
    CHECK(same_place(strip.last(), points.back()));
}

TEST_CASE("small strips are all frame, and known as a whole") {
    const auto points = sorted_random(20);
    const OwnPoints own = take_apart(points, 10);
    CHECK(own.interior.empty());
    CHECK(describe(points, own, 20).beyond_first.empty());
}

TEST_CASE("borders have the nearest points first, and are filled up") {
    const auto points = sorted_random(5);
    std::vector<Point> border(7);
    copy_border(points, true, border);
    CHECK(same_place(border[0], points[0]));
    CHECK(border[5].number == Point::none);
    copy_border(points, false, border);
    CHECK(same_place(border[0], points[4]));
    CHECK(same_place(border[4], points[0]));
    CHECK(border[6].number == Point::none);
}

TEST_CASE("outlines span the plane if the points do") {
    for (const auto& [name, points] : inputs()) {
        CAPTURE(name);
        auto sorted = points;
        std::ranges::sort(sorted, comes_before);
        std::vector<Point> spanning;
        for (const Point& point : outline(sorted))
            if (point.number != Point::none) spanning.push_back(point);
        CHECK(on_one_line(spanning) == on_one_line(points));
    }
}

#include "delaunay.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "inputs.hpp"

using namespace lapwing::triangulation;

TEST_CASE("a triangulation does not depend on the order of its points") {
    std::mt19937 random(3);
    for (const auto& [name, points] : inputs()) {
        CAPTURE(name);
        const Checksum expected = sequential_checksum(points);
        for (int trial = 0; trial < 5; ++trial) {
            std::vector<Point> shuffled = points;
            std::ranges::shuffle(shuffled, random);
            Delaunay mesh;  // point by point, in this order
            for (const Point& point : shuffled) mesh.insert({&point, 1});
            Checksum found;
            mesh.for_each_face([&](const Face& face) {
                if (!face.infinite())
                    found.add(triangle_of(face.a.number, face.b.number, face.c.number));
            });
            CHECK(found == expected);
        }
    }
}

TEST_CASE("a grid has two triangles for each cell, all on circles with four points") {
    std::vector<Point> grid;
    for (std::uint64_t number = 0; number < 20; ++number)
        grid.push_back({static_cast<double>(number % 5), static_cast<double>(number / 5), number});
    CHECK(sequential_checksum(grid).triangles == 2 * 4 * 3);
}

TEST_CASE("points on a line have no triangles") {
    std::vector<Point> line;
    for (std::uint64_t number = 0; number < 9; ++number)
        line.push_back({static_cast<double>(number), static_cast<double>(number), number});
    CHECK(on_one_line(line));
    CHECK(on_one_line({}));
    CHECK(sequential_checksum(line) == Checksum{});
    CHECK(point_beside(line.front(), line.back(), line).number == Point::none);
    line.push_back({1, 1 + 1e-15, 9});
    CHECK_FALSE(on_one_line(line));
    CHECK(point_beside(line[0], line[8], line).number == 9);
    CHECK(sequential_checksum(line).triangles > 0);
}

TEST_CASE("the smallest number of several points in one place counts") {
    const std::vector<Point> points{{0, 0, 4}, {1, 0, 1}, {0, 1, 2}, {0, 0, 3}};
    Checksum expected;
    expected.add(triangle_of(1, 2, 3));
    CHECK(sequential_checksum(points) == expected);
}

TEST_CASE("what is in conflict with a face is found next to its vertices") {
    Delaunay mesh;
    const std::vector<Point> points{{5, 5, 0}, {6, 5, 1}, {5, 6, 2}, {9, 9, 3}};
    mesh.insert(points);
    const auto numbers = [&](const Face& face) {
        std::vector<std::uint64_t> found;
        for (const Point& point : mesh.conflicts_with(face))
            if (point.number < 4 && std::ranges::find(found, point.number) == found.end())
                found.push_back(point.number);
        std::ranges::sort(found);
        return found;
    };
    CHECK(numbers({{4, 4, 10}, {5.5, 4, 11}, {4, 5.5, 12}}) == std::vector<std::uint64_t>{0});
    CHECK(numbers({{0, 0, 13}, {1, 0, 14}, {0, 1, 15}}).empty());
    // On the line of an edge of the hull, and beyond.
    CHECK(numbers({{9, 20, 16}, {9, 10, 17}, {}}) == std::vector<std::uint64_t>{3});
}

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "mg/box.hpp"
#include "mg/levels.hpp"
#include "mg/problem.hpp"
#include "mg/rank_grid.hpp"
#include "mg/stencils.hpp"

namespace mg = lapwing::nas::mg;
using mg::Axis;
using mg::Box;
using mg::Extent;

namespace {

/// Some numbers in an array of `extent`, and around it.
std::vector<double> numbers(const Extent& extent, double seed) {
    std::vector<double> made(extent.elements());
    for (std::size_t i = 0; i < made.size(); ++i)
        made[i] = std::sin(seed + 0.7 * static_cast<double>(i));
    return made;
}

/// A stencil at a point by its definition: neighbours by how many of their coordinates differ.
double applied(const mg::Stencil& stencil, const std::vector<double>& to, const Extent& extent,
               std::array<std::size_t, 3> at) {
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t i = 0; i < 3; ++i) {
                const std::size_t differ = (k != 1) + (j != 1) + (i != 1);
                sum +=
                    stencil[differ] * to[extent.place(at[0] + k - 1, at[1] + j - 1, at[2] + i - 1)];
            }
    return sum;
}

const Extent extent{{4, 6, 8}};

template <class Check>
void for_each_point(Check&& check) {
    for (std::size_t k = 1; k <= extent.points[Axis::z]; ++k)
        for (std::size_t j = 1; j <= extent.points[Axis::y]; ++j)
            for (std::size_t i = 1; i <= extent.points[Axis::x]; ++i)
                check(std::array{k, j, i}, extent.place(k, j, i));
}

}  // namespace

TEST_CASE("MG: classes are the benchmark's") {
    CHECK(mg::find_problem("A").side == 256);
    CHECK(mg::find_problem("B").iterations == 20);
    // Bailey et al.: 58 operations a point and iteration.
    CHECK(mg::find_problem("S").operations() == 58.0 * 32 * 32 * 32 * 4);
    CHECK_THROWS_AS(mg::find_problem("F"), std::invalid_argument);
    CHECK_THROWS_AS(mg::find_problem(""), std::invalid_argument);
    const auto problem = mg::find_problem("S");
    CHECK(mg::verified(problem, problem.expected * (1 + 0.9e-8)));
    CHECK_FALSE(mg::verified(problem, problem.expected * (1 + 1.1e-8)));
}

TEST_CASE("MG: the residual is v - A u") {
    const auto u = numbers(extent, 1);
    const auto v = numbers(extent, 2);
    auto r = numbers(extent, 3);
    mg::residual(mg::Problem::equation(), u.data(), v.data(), r.data(), extent, extent.all());
    for_each_point([&](auto at, std::size_t place) {
        CHECK(r[place] == Approx(v[place] - applied(mg::Problem::equation(), u, extent, at)));
    });
}

TEST_CASE("MG: smoothing adds S r") {
    const auto stencil = mg::find_problem("B").smoother();
    const auto before = numbers(extent, 1);
    const auto r = numbers(extent, 2);
    auto u = before;
    mg::smooth(stencil, r.data(), u.data(), extent, extent.all());
    for_each_point([&](auto at, std::size_t place) {
        CHECK(u[place] == Approx(before[place] + applied(stencil, r, extent, at)));
    });
}

TEST_CASE("MG: a point is the same in whatever box it is computed") {
    const auto u = numbers(extent, 1);
    const auto v = numbers(extent, 2);
    auto whole = numbers(extent, 3);
    auto parts = whole;
    const auto residual = [&](std::vector<double>& r, const Box& box) {
        mg::residual(mg::Problem::equation(), u.data(), v.data(), r.data(), extent, box);
    };
    residual(whole, extent.all());
    Box left = extent.all();
    Box right = extent.all();
    left.last[Axis::x] = right.first[Axis::x] = 4;
    residual(parts, right);
    residual(parts, left);
    CHECK(parts == whole);
}

TEST_CASE("MG: restriction is full weighting") {
    const Extent coarse{{2, 3, 4}};
    const auto fine = numbers(extent, 1);
    std::vector<double> restricted(coarse.elements());
    mg::restrict_to(fine.data(), extent, restricted.data(), coarse, coarse.all());
    const mg::Stencil weights{0.5, 0.25, 0.125, 0.0625};
    for (std::size_t k = 1; k <= 2; ++k)
        for (std::size_t j = 1; j <= 3; ++j)
            for (std::size_t i = 1; i <= 4; ++i)
                CHECK(restricted[coarse.place(k, j, i)] ==
                      Approx(applied(weights, fine, extent, {2 * k, 2 * j, 2 * i})));
}

TEST_CASE("MG: interpolation is trilinear") {
    const Extent coarse{{2, 3, 4}};
    const auto from = numbers(coarse, 1);
    const auto before = numbers(extent, 2);
    auto fine = before;
    mg::interpolate(from.data(), coarse, {}, fine.data(), extent);
    const auto between = [&](std::size_t k, std::size_t j, std::size_t i) {
        double sum = 0;  // the mean of the coarse points beside the fine one, along each axis
        for (const std::size_t c : {k / 2, (k + 1) / 2})
            for (const std::size_t b : {j / 2, (j + 1) / 2})
                for (const std::size_t a : {i / 2, (i + 1) / 2}) sum += from[coarse.place(c, b, a)];
        return sum / 8;
    };
    for (std::size_t k = 0; k <= 5; ++k)
        for (std::size_t j = 0; j <= 7; ++j)
            for (std::size_t i = 0; i <= 9; ++i)
                CHECK(fine[extent.place(k, j, i)] ==
                      Approx(before[extent.place(k, j, i)] + between(k, j, i)));
}

TEST_CASE("MG: ranks are a periodic grid") {
    const mg::RankGrid grid(5, 16);  // 4 x 2 x 2
    CHECK(grid.ranks == std::array{4, 2, 2});
    CHECK(grid.at == std::array{1, 0, 1});
    CHECK(grid.neighbour(Axis::z, -1) == 1);
    CHECK(grid.neighbour(Axis::z, 1) == 9);
    CHECK(grid.neighbour(Axis::y, 1) == grid.neighbour(Axis::y, -1));
    CHECK(mg::RankGrid(1, 2).cuts(Axis::z));
    CHECK_FALSE(mg::RankGrid(1, 2).cuts(Axis::x));
    CHECK_THROWS_AS(mg::RankGrid(0, 6), std::invalid_argument);
}

TEST_CASE("MG: coarse levels are whole") {
    const auto problem = mg::find_problem("S");
    const mg::Levels levels(problem, {0, 16}, 8);
    CHECK(levels.count() == 5);  // sides 2, 4, 8, 16, 32
    CHECK(levels.whole(2));
    CHECK_FALSE(levels.whole(3));
    CHECK(levels.extent(3).points == std::array<std::size_t, 3>{4, 8, 8});
    CHECK(levels.extent(2).points == std::array<std::size_t, 3>{8, 8, 8});
    // At least two points a rank along each axis.
    CHECK(mg::Levels(problem, {0, 16}, 2).whole(1));
    CHECK_FALSE(mg::Levels(problem, {0, 16}, 2).whole(2));
    CHECK_THROWS_AS(mg::Levels(problem, mg::RankGrid(0, 16), 32), std::invalid_argument);
    // One rank has everything anyhow.
    CHECK(mg::Levels(problem, {0, 1}, 2).whole(4));
}

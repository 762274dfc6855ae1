#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "../common/allgather.hpp"
#include "../common/random.hpp"
#include "box.hpp"
#include "problem.hpp"
#include "rank_grid.hpp"

namespace lapwing::nas::mg {

/// A point of the cube and its random number.
struct Numbered {
    double number = 0;
    std::uint64_t point = 0;  ///< x + side (y + side z)
};

/// How many points have a charge, of each sign.
inline constexpr std::size_t charges = 10;

/// The points with the largest numbers (`Sign` +1) or the smallest (-1), the best first.
template <int Sign>
class Extremes {
  public:
    void offer(const Numbered& point) {
        if (!better(point, points_.back())) return;
        auto at = points_.end() - 1;
        for (; at != points_.begin() && better(point, *(at - 1)); --at) *at = *(at - 1);
        *at = point;
    }
    [[nodiscard]] std::array<Numbered, charges>& points() { return points_; }

  private:
    [[nodiscard]] static bool better(const Numbered& a, const Numbered& b) {
        return Sign > 0 ? a.number > b.number : a.number < b.number;
    }

    std::array<Numbered, charges> points_ = [] {
        std::array<Numbered, charges> none{};
        none.fill({Sign > 0 ? -1.0 : 2.0, 0});  // beyond all numbers, which are between 0 and 1
        return none;
    }();
};

/// Sets the right-hand side `v`, which is zero: the points of the cube have random numbers, and
/// those with the ten largest get +1, those with the ten smallest -1. Collective over `transport`.
template <Transport T>
void set_charges(T& transport, int tag, const Problem& problem, const RankGrid& grid,
                 const Extent& extent, double* v) {
    const std::size_t side = problem.side;
    const auto begin = [&](std::size_t axis) {
        return static_cast<std::size_t>(grid.at[axis]) * extent.points[axis];
    };
    Extremes<1> largest;
    Extremes<-1> smallest;
    for (std::size_t k = 0; k < extent.points[z]; ++k) {
        for (std::size_t j = 0; j < extent.points[y]; ++j) {
            const std::size_t first = begin(x) + side * (begin(y) + j + side * (begin(z) + k));
            Random random(first);
            for (std::size_t i = 0; i < extent.points[x]; ++i) {
                const Numbered point{random(), first + i};
                largest.offer(point);
                smallest.offer(point);
            }
        }
    }
    using Both = std::array<std::array<Numbered, charges>, 2>;
    Allgather<T> all(transport, sizeof(Both), tag);
    const Both mine{largest.points(), smallest.points()};
    std::memcpy(all.own(), &mine, sizeof mine);
    all.gather();
    largest = {};
    smallest = {};
    for (int rank = 0; rank < transport.size(); ++rank) {
        Both theirs;
        std::memcpy(&theirs, all.at(rank), sizeof theirs);
        for (const Numbered& point : theirs[0]) largest.offer(point);
        for (const Numbered& point : theirs[1]) smallest.offer(point);
    }
    const auto set = [&](const std::array<Numbered, charges>& points, double charge) {
        for (const auto& [number, point] : points) {
            const std::array<std::size_t, axes> at{point / side / side - begin(z),
                                                   point / side % side - begin(y),
                                                   point % side - begin(x)};
            // Points of other ranks are beyond the extent: what is below 0 wraps around.
            if (at[z] < extent.points[z] && at[y] < extent.points[y] && at[x] < extent.points[x])
                v[extent.place(at[z] + 1, at[y] + 1, at[x] + 1)] = charge;
        }
    };
    set(largest.points(), 1);
    set(smallest.points(), -1);
}

}  // namespace lapwing::nas::mg

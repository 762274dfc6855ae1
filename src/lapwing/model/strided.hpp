#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/profile/log3p.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing::model {

inline constexpr double cache_line = 64;  ///< bytes, of nearly every processor

/// How far data `d` bytes apart crowds into few sets of a cache, between 0 and 1: 1 at a power of
/// two longer than a line; 0 where no such divides `d`, so that the data comes to lie in all sets
/// in turn; otherwise as far as the largest power of two that divides `d` is on its way from a line
/// to `d`, by the logarithm. Packing 100 KB of doubles 1,024 bytes apart has taken four times as
/// long as 1,032 bytes apart; no model of the papers tells the two from each other.
[[nodiscard]] inline double crowding(double d) {
    const auto bytes = static_cast<std::uint64_t>(std::max(0.0, d));
    const auto power = static_cast<double>(bytes & (~bytes + 1));
    return power > cache_line ? std::log(power / cache_line) / std::log(d / cache_line) : 0;
}

/// How far a stride of `d` bytes, above `from`, is on its way to one of `to`, as a share: what it
/// costs grows with the cache lines that are touched, in proportion to the stride up to a line, and
/// more slowly beyond.
[[nodiscard]] inline double on_the_way(double d, double from, double to) {
    if (d >= to) return 1;
    return to <= cache_line ? (d - from) / (to - from) : std::log(d / from) / std::log(to / from);
}

/// A cost of `s` bytes that lie side by side, or at one stride, seconds, by what was `measured`
/// at the sizes of the table: linear between two of them, below the smallest as that, beyond the
/// largest in proportion to the bytes. 0 where there is no table.
[[nodiscard]] inline double at_size(const Log3P& table, const std::vector<double>& measured,
                                    double s) {
    if (table.sizes.empty()) return 0;
    const double beyond = std::max(1.0, s / static_cast<double>(table.sizes.back()));
    return beyond * interpolate(table.sizes, measured, s);
}

/// A cost of `s` bytes of data that lie `d` bytes apart, from a measured table of it
/// [size][stride], seconds. In `s` as `at_size`. Between two measured strides, of which the first
/// is data side by side, where it is `side_by_side` seconds, by how far `d` is `on_the_way`; beyond
/// the largest as that. Where both strides that crowd and others longer than a line were measured,
/// it is so for either kind, and what `d` costs lies between the two by its `crowding`.
[[nodiscard]] inline double strided(const Log3P& table,
                                    const std::vector<std::vector<double>>& grid, double s,
                                    double d, double side_by_side) {
    if (table.sizes.empty()) return 0;
    const auto column = [&](std::size_t stride) {
        std::vector<double> values;
        values.reserve(table.sizes.size());
        for (const auto& row : grid) values.push_back(row[stride]);
        return at_size(table, values, s);
    };
    const auto along = [&](auto&& belongs) {
        double cost = side_by_side;
        auto below = static_cast<double>(table.element);
        double at_below = side_by_side;
        for (std::size_t i = 0; i < table.strides.size() && d > below; ++i) {
            const auto stride = static_cast<double>(table.strides[i]);
            if (!belongs(stride)) continue;
            const double at_stride = column(i);
            cost = std::lerp(at_below, at_stride, on_the_way(d, below, stride));
            below = stride;
            at_below = at_stride;
        }
        return cost;
    };
    const auto is_long = [](double stride) { return stride > cache_line; };
    const auto crowds = [&](double stride) { return is_long(stride) && crowding(stride) > 0; };
    const auto spreads = [&](double stride) { return is_long(stride) && crowding(stride) <= 0; };
    const auto measured = [&](auto&& kind) {
        return std::any_of(table.strides.begin(), table.strides.end(),
                           [&](std::uint64_t stride) { return kind(static_cast<double>(stride)); });
    };
    if (!measured(crowds) || !measured(spreads)) return along([](double) { return true; });
    const double share = crowding(d);
    const double crowded = share > 0 ? along([&](double stride) { return !spreads(stride); }) : 0;
    const double spread = share < 1 ? along([&](double stride) { return !crowds(stride); }) : 0;
    return spread + share * (crowded - spread);
}

}  // namespace lapwing::model

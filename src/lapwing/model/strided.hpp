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

/// How far data `d` bytes apart shares few sets of a cache, between 0 and 1. It is 1 if `d` is a
/// power of two longer than a line. It is 0 if no such power divides `d`: then the data lies in all
/// sets in turn. Otherwise it is the logarithm of the largest power of two that divides `d`,
/// relative to that of `d`, both over a line. Measured once: packing 100 KB of doubles 1,024 bytes
/// apart is four times as slow as 1,032 bytes apart. No model of the papers distinguishes the two.
[[nodiscard]] inline double crowding(double d) {
    const auto bytes = static_cast<std::uint64_t>(std::max(0.0, d));
    const auto power = static_cast<double>(bytes & (~bytes + 1));
    return power > cache_line ? std::log(power / cache_line) / std::log(d / cache_line) : 0;
}

/// The position of a stride of `d` bytes between `from` and `to`, as a share, by which a cost is
/// interpolated. Costs grow with the number of cache lines touched: in proportion to the stride up
/// to a line, and more slowly beyond.
[[nodiscard]] inline double stride_share(double d, double from, double to) {
    if (d >= to) return 1;
    return to <= cache_line ? (d - from) / (to - from) : std::log(d / from) / std::log(to / from);
}

/// A cost in seconds of `s` bytes of contiguous data, or of one stride, from the `measured` column
/// of the table. It is linear between two sizes, constant below the smallest, and proportional to
/// the bytes beyond the largest. 0 if there is no table.
[[nodiscard]] inline double at_size(const Log3P& table, const std::vector<double>& measured,
                                    double s) {
    if (table.sizes.empty()) return 0;
    const double beyond = std::max(1.0, s / static_cast<double>(table.sizes.back()));
    return beyond * interpolate(table.sizes, measured, s);
}

/// A cost in seconds of `s` bytes of data that lie `d` bytes apart, from a measured table
/// [size][stride]. In `s` as `at_size`. In `d` it is interpolated by `stride_share` between two
/// measured strides, of which the first is contiguous data, at `contiguous` seconds; constant
/// beyond the largest stride. Strides longer than a line may have been measured both with and
/// without `crowding`. Then each kind is interpolated by itself, and the cost for `d` lies between
/// the two by its `crowding`.
[[nodiscard]] inline double strided(const Log3P& table,
                                    const std::vector<std::vector<double>>& grid, double s,
                                    double d, double contiguous) {
    if (table.sizes.empty()) return 0;
    const auto column = [&](std::size_t stride) {
        std::vector<double> values;
        values.reserve(table.sizes.size());
        for (const auto& row : grid) values.push_back(row[stride]);
        return at_size(table, values, s);
    };
    const auto along = [&](auto&& belongs) {
        double cost = contiguous;
        auto below = static_cast<double>(table.element);
        double at_below = contiguous;
        for (std::size_t i = 0; i < table.strides.size() && d > below; ++i) {
            const auto stride = static_cast<double>(table.strides[i]);
            if (!belongs(stride)) continue;
            const double at_stride = column(i);
            cost = std::lerp(at_below, at_stride, stride_share(d, below, stride));
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

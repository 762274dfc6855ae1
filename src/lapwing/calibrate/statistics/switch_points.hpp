#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "lapwing/calibrate/statistics/estimate.hpp"

namespace lapwing {

/// A size at which a time jumps: the transport does something else for longer messages.
struct SwitchPoint {
    std::uint64_t size = 0;  ///< bytes: the largest before the jump
    double jump = 0;         ///< seconds that one byte more takes longer; negative: less long
};

/// The sizes at which a time jumps: where it changes from one size to the next by far more than the
/// slope around explains, than the noise, and than `share` of itself. `known`: seconds by size, in
/// bytes, from where to where to look; `probe(size)` tells what other sizes take, or the same once
/// more. Where the time changes too much between two known sizes, halving tells a jump, all of
/// which stays in one half, from a slope that changes. Exact to the byte where the noise allows it.
template <class Probe>
std::vector<SwitchPoint> switch_points(const std::map<std::uint64_t, Estimate>& known,
                                       Probe&& probe, double share = 0.1) {
    constexpr double clear = 4;    // times the noise
    constexpr double whole = 0.7;  // of a jump, where noise takes from it
    std::vector<std::uint64_t> sizes;
    std::vector<double> times;
    for (const auto& [size, time] : known) {
        sizes.push_back(size);
        times.push_back(time.median);
    }

    const auto noise = [](const Estimate& a, const Estimate& b) {
        return std::hypot(a.error * a.median, b.error * b.median);
    };
    const auto significant = [&](double jump, const Estimate& a, const Estimate& b) {
        return std::abs(jump) > std::max(share * std::min(a.median, b.median), clear * noise(a, b));
    };
    // Seconds per byte around the interval from `index` to the next of `sizes`.
    const auto slope = [&](std::size_t index) {
        std::vector<double> slopes;
        const std::size_t first = index < 2 ? 0 : index - 2;
        for (std::size_t i = first; i < std::min(index + 3, sizes.size() - 1); ++i) {
            if (i == index) continue;
            slopes.push_back((times[i + 1] - times[i]) /
                             static_cast<double>(sizes[i + 1] - sizes[i]));
        }
        return std::max(0.0, median(slopes));
    };
    // The jump between two sizes, if there is one and no more than one.
    const auto find = [&](std::uint64_t low, std::uint64_t high,
                          double per_byte) -> std::optional<SwitchPoint> {
        Estimate below = known.at(low);
        Estimate behind = known.at(high);
        const auto excess = [&](const Estimate& a, std::uint64_t from, const Estimate& b,
                                std::uint64_t to) {
            return b.median - a.median - per_byte * static_cast<double>(to - from);
        };
        const double all = excess(below, low, behind, high);
        if (!significant(all, below, behind)) return std::nullopt;
        const double sign = all < 0 ? -1 : 1;
        while (high - low > 1) {
            const std::uint64_t middle = low + (high - low) / 2;
            const Estimate here = probe(middle);
            const double left = sign * excess(below, low, here, middle);
            const double right = sign * excess(here, middle, behind, high);
            if (std::max(left, right) < whole * sign * all) return std::nullopt;
            if (left > right) {
                high = middle;
                behind = here;
            } else {
                low = middle;
                below = here;
            }
        }
        // Once more: what led here may have been chance.
        below = probe(low);
        behind = probe(high);
        const double jump = behind.median - below.median;
        if (sign * jump < whole * sign * all || !significant(jump, below, behind))
            return std::nullopt;
        return SwitchPoint{low, jump};
    };
    std::vector<SwitchPoint> found;
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i)
        if (const auto point = find(sizes[i], sizes[i + 1], slope(i))) found.push_back(*point);
    return found;
}

}  // namespace lapwing

#include "lapwing/calibrate/statistics/switch_points.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

namespace lapwing {
namespace {

constexpr double clear_of_noise = 4;  // a jump is at least so many times the noise
constexpr double found_again = 0.7;   // share of a jump, where noise may take from it

struct SizeEstimate {
    std::uint64_t size;
    Estimate time;
};

double noise_between(const Estimate& a, const Estimate& b) {
    return std::hypot(a.error * a.median, b.error * b.median);
}

/// Whether `jump` seconds from `a` to `b` are more than noise and more than `share` of the time.
bool is_significant(double jump, const Estimate& a, const Estimate& b, double share) {
    return std::abs(jump) >
           std::max(share * std::min(a.median, b.median), clear_of_noise * noise_between(a, b));
}

/// The seconds from `a` to `b` that a slope of `per_byte` seconds does not explain.
double excess(const SizeEstimate& a, const SizeEstimate& b, double per_byte) {
    return b.time.median - a.time.median - per_byte * static_cast<double>(b.size - a.size);
}

/// Seconds per byte in the intervals around the one from `index` to the next of `sizes`: the
/// median, 0 at least.
double slope_around(std::size_t index, const std::vector<SizeEstimate>& sizes) {
    std::vector<double> slopes;
    const std::size_t first = index < 2 ? 0 : index - 2;
    for (std::size_t i = first; i < std::min(index + 3, sizes.size() - 1); ++i)
        if (i != index)
            slopes.push_back((sizes[i + 1].time.median - sizes[i].time.median) /
                             static_cast<double>(sizes[i + 1].size - sizes[i].size));
    return std::max(0.0, median(slopes));
}

/// The jump between `below` and `beyond`, if there is exactly one.
std::optional<SwitchPoint> find_jump(SizeEstimate below, SizeEstimate beyond, double per_byte,
                                     const std::function<Estimate(std::uint64_t)>& probe,
                                     double share) {
    const double all = excess(below, beyond, per_byte);
    if (!is_significant(all, below.time, beyond.time, share)) return std::nullopt;
    const double sign = all < 0 ? -1 : 1;
    while (beyond.size - below.size > 1) {
        const std::uint64_t middle = below.size + (beyond.size - below.size) / 2;
        const SizeEstimate here{middle, probe(middle)};
        const double left = sign * excess(below, here, per_byte);
        const double right = sign * excess(here, beyond, per_byte);
        if (std::max(left, right) < found_again * sign * all) return std::nullopt;
        (left > right ? beyond : below) = here;
    }
    // Measure both sides again: chance may have led here.
    below.time = probe(below.size);
    beyond.time = probe(beyond.size);
    const double jump = beyond.time.median - below.time.median;
    if (sign * jump < found_again * sign * all ||
        !is_significant(jump, below.time, beyond.time, share))
        return std::nullopt;
    return SwitchPoint{below.size, jump};
}

}  // namespace

std::vector<SwitchPoint> switch_points(const std::map<std::uint64_t, Estimate>& known,
                                       const std::function<Estimate(std::uint64_t)>& probe,
                                       double share) {
    std::vector<SizeEstimate> sizes;
    sizes.reserve(known.size());
    for (const auto& [size, time] : known) sizes.push_back({size, time});
    std::vector<SwitchPoint> found;
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
        const auto point = find_jump(sizes[i], sizes[i + 1], slope_around(i, sizes), probe, share);
        if (point) found.push_back(*point);
    }
    return found;
}

}  // namespace lapwing

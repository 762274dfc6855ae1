#include "drawn_keys.hpp"

#include <algorithm>
#include <cmath>

#include "../common/random.hpp"

namespace lapwing::nas::is {
namespace {

/// A number of a nearly normal distribution, of mean 0 and variance 1: a sum of four uniform ones.
double normal(std::uint64_t number) {
    constexpr int numbers = 4;
    Random random(numbers * number);
    double sum = 0;
    for (int i = 0; i < numbers; ++i) sum += random();
    return (sum - numbers * 0.5) * std::sqrt(12.0 / numbers);
}

}  // namespace

DrawnKeys::Halves DrawnKeys::halves(const Range& range) const {
    const std::size_t middle = range.first + (range.last - range.first) / 2;
    const double share = problem_.share_below(middle);
    const double whole = range.share_last - range.share_first;
    const double part = whole > 0 ? (share - range.share_first) / whole : 0;
    const auto keys = static_cast<double>(range.keys);
    const double scatter = std::sqrt(keys * part * (1 - part));
    // An odd stride: the numbers of draws that differ by a power of two are not independent.
    const double drawn = keys * part + scatter * normal(draw_ * (problem_.buckets() + 1) + middle);
    const auto lower = static_cast<std::size_t>(std::llround(std::clamp(drawn, 0.0, keys)));
    return {
        {range.first, middle, range.share_first, share, range.before, lower},
        {middle, range.last, share, range.share_last, range.before + lower, range.keys - lower}};
}

std::size_t DrawnKeys::below(std::size_t buckets) const {
    Range range = all();
    while (range.first < buckets && buckets < range.last) {
        const auto [lower, upper] = halves(range);
        range = buckets < upper.first ? lower : upper;
    }
    return buckets == range.first ? range.before : range.before + range.keys;
}

void DrawnKeys::write(std::span<std::uint32_t> begins) const {
    write(all(), begins);
    begins[problem_.buckets()] = static_cast<std::uint32_t>(keys_);
}

void DrawnKeys::write(const Range& range, std::span<std::uint32_t> begins) const {
    begins[range.first] = static_cast<std::uint32_t>(range.before);
    if (range.last - range.first == 1) return;
    const auto [lower, upper] = halves(range);
    write(lower, begins);
    write(upper, begins);
}

}  // namespace lapwing::nas::is

#include "lapwing/model/stream.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lapwing::model {
namespace {

/// Seconds of a flood's gap between messages beyond their bytes, from messages that take the wire
/// much longer than the processors.
double header(const LinkCosts& link, const LinearCost& o_s, const LinearCost& o_r) {
    // On a shared interface messages arrive together: the rest of the gap is the receiver's
    // overhead.
    if (link.nic == Nic::sharing) return 0;
    const auto& table = link.bandwidth;
    std::vector<std::uint64_t> sizes;
    std::vector<double> gaps;
    for (std::size_t i = 0; i < table.sizes.size(); ++i) {
        const auto size = static_cast<double>(table.sizes[i]);
        if (!is_wire_bound(link.loggp.G, size, std::max(o_s(size), o_r(size)))) continue;
        if (table.unidirectional[i] <= 0) continue;
        sizes.push_back(table.sizes[i]);
        gaps.push_back(size / table.unidirectional[i]);
    }
    if (sizes.size() < 3) return 0;
    // A header longer than an overhead would reverse the chain; real ones are shorter.
    const double most = 0.9 * std::min(o_s(0), o_r(0));
    return std::min(fit_line(sizes, gaps, static_cast<double>(sizes.back())).base, most);
}

}  // namespace

Stream stream_costs(const LinkCosts& link, double volume, double compute) {
    Stream x;
    x.L = link.loggp.L;
    x.G = link.loggp.G;
    x.t = compute / volume;
    const auto& table = link.overhead;
    if (table.sizes.empty() || table.bursts.empty()) {
        x.o_s.base = link.loggp.o_s;
        x.o_r.base = link.loggp.o_r;
        return x;
    }
    // A stream keeps many messages in flight: the longest measured burst is the nearest.
    std::vector<double> send;
    send.reserve(table.sizes.size());
    for (const auto& row : table.send) send.push_back(row.back());
    x.o_s = fit_line(table.sizes, send, volume);
    x.o_r = fit_line(table.sizes, table.receive, volume);
    x.h = header(link, x.o_s, x.o_r);
    return x;
}

GeometricSums geometric_sums(double r, double n) {
    const double powers = std::pow(r, n);
    const double d = r - 1;
    // Close to r = 1 the quotients below lose all their digits; the series is exact to d^2 there.
    if (std::abs(d) * n < 1e-4) {
        return {powers, n + n * (n - 1) / 2 * d, n * (n - 1) / 2 + n * (n - 1) * (n - 2) / 6 * d};
    }
    const double first = (powers - 1) / d;
    return {powers, first, (first - n) / d};
}

double chain_first(const Stream& x, double volume, double n) {
    const auto sums = geometric_sums((x.t + x.o_r.per_byte) / x.G, n);
    return (volume - (x.o_r.base - x.h) / x.G * sums.second) / sums.first;
}

namespace {

double chain_time(const Stream& x, double volume, double n) {
    const double first = chain_first(x, volume, n);
    return x.o_s(first) + x.L + x.h + x.G * first + n * x.o_r.base +
           (x.t + x.o_r.per_byte) * volume;
}

}  // namespace

int chain_count(const Stream& x, double volume, double worthwhile) {
    constexpr int most = 1 << 20;
    const auto improves = [&](int n) {
        return chain_first(x, volume, n + 1) > 0 &&
               chain_time(x, volume, n + 1) < (1 - worthwhile) * chain_time(x, volume, n);
    };
    // The time is convex in n: double n past the minimum, then bisect.
    int high = 1;
    while (high < most && improves(high)) high *= 2;
    int low = high / 2;
    while (low + 1 < high) {
        const int middle = low + (high - low) / 2;
        (improves(middle) ? low : high) = middle;
    }
    return high;
}

double stream_limit(const Stream& costs, double volume) {
    Stream x = costs;
    x.h = 0;
    x.o_s.per_byte = 0;
    return chain_time(x, volume, chain_count(x, volume));
}

}  // namespace lapwing::model

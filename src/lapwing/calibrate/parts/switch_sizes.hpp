#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "lapwing/calibrate/benchmarks/pair_benchmarks.hpp"
#include "lapwing/calibrate/sampling/campaign.hpp"
#include "lapwing/profile/profile.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing {

/// `sizes` and those on both sides of each of `switches`, bytes, increasing: the last of the one
/// kind and the first of the other.
inline std::vector<std::uint64_t> with_switch_sizes(std::vector<std::uint64_t> sizes,
                                                    const std::vector<std::uint64_t>& switches) {
    for (const std::uint64_t size : switches) sizes.insert(sizes.end(), {size, size + 1});
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

/// Measures the bandwidth of messages on both sides of each of `switches`, bytes, and puts it into
/// the profile's table. Between the sizes that were chosen for that, a rate that changes leaves no
/// trace. `longest`: seconds that a flood may keep the wire busy. In about `seconds`; the result is
/// rank 0's.
template <Transport T>
void measure_at_switches(TransportPair<T>& pair, const std::vector<std::uint64_t>& switches,
                         double longest, const SamplingGoal& goal, double seconds,
                         NoiseCounts& noise, const StatusCallback& report, Profile& profile) {
    if (switches.empty()) return;
    const auto sizes = with_switch_sizes({}, switches);
    PairBenchmarks<T> exchange(pair, std::max<std::uint64_t>(4 * sizes.back(), 1 << 20));
    const double G = pair.from_first(profile.loggp.G);
    std::deque<Series> one_way(sizes.size());
    std::deque<Series> both_ways(sizes.size());
    Campaign<T> all(pair, goal, seconds, noise, report);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const std::uint64_t size = sizes[i];
        const std::uint64_t count = flood_count(G * static_cast<double>(size), longest);
        all.add("bandwidth", {&one_way[i]},
                [&, i, size, count] { exchange.flood_gaps(size, count, false, 1, one_way[i]); });
        all.add("bandwidth both ways", {&both_ways[i]},
                [&, i, size, count] { exchange.flood_gaps(size, count, true, 1, both_ways[i]); });
    }
    all.run();
    auto& table = profile.bandwidth;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const double one = one_way[i].median();
        const double both = both_ways[i].median();
        if (!(one > 0 && both > 0)) continue;  // disturbed, or rank 1's
        const auto bytes = static_cast<double>(sizes[i]);
        insert_row(
            table.sizes, sizes[i],
            {{&table.unidirectional, bytes / one}, {&table.bidirectional, 2 * bytes / both}});
    }
}

}  // namespace lapwing

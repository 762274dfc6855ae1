#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "lapwing/calibrate/campaign.hpp"
#include "lapwing/calibrate/exchange.hpp"
#include "lapwing/calibrate/latency.hpp"
#include "lapwing/profile/profile.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing {

/// Measures what messages take on both sides of each of `switches`, bytes, and puts it into the
/// profile's tables: half round trips, where it has them, and bandwidth. Between the sizes that
/// were chosen for those, a rate that changes leaves no trace. `ranks`: the two of `pair`;
/// `longest`: seconds that a flood may keep the wire busy. In about `seconds`; the result is rank
/// 0's.
template <Transport T>
void measure_both_sides(Pair<T>& pair, MPI_Comm ranks, const std::vector<std::uint64_t>& switches,
                        double longest, const Goal& goal, double seconds, Disturbance& disturbance,
                        const ProgressReport& report, Profile& profile) {
    if (switches.empty()) return;
    std::vector<std::uint64_t> sizes;
    for (const std::uint64_t size : switches) {
        sizes.push_back(size);
        sizes.push_back(size + 1);
    }
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());

    if (profile.latency) {
        LatencyMeasurement<T> measurement(pair, ranks, sizes, longest);
        const Latency found = measurement.run(goal, seconds / 2, disturbance, report);
        auto& table = *profile.latency;
        for (std::size_t i = 0; i < sizes.size(); ++i)
            put_entry(table.sizes, sizes[i],
                      {{&table.half_round_trip, found.half_round_trip[i]},
                       {&table.bandwidth, found.bandwidth[i]}});
    }

    Exchange<T> exchange(pair, std::max<std::uint64_t>(4 * sizes.back(), 1 << 20));
    const double G = pair.share(profile.loggp.G);
    std::deque<Series> one_way(sizes.size());
    std::deque<Series> both_ways(sizes.size());
    Campaign<T> all(pair, goal, seconds / 2, disturbance, report);
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
        put_entry(table.sizes, sizes[i],
                  {{&table.unidirectional, bytes / one}, {&table.bidirectional, 2 * bytes / both}});
    }
}

}  // namespace lapwing

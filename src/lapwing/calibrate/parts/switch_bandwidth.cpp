#include "lapwing/calibrate/parts/switch_bandwidth.hpp"

#include <algorithm>
#include <deque>

#include "lapwing/calibrate/benchmarks/pair_benchmarks.hpp"
#include "lapwing/calibrate/sampling/campaign.hpp"
#include "lapwing/calibrate/statistics/switch_sizes.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing {

void measure_at_switches(Context& context, const std::vector<std::uint64_t>& switches,
                         Profile& profile) {
    if (switches.empty()) return;
    const auto sizes = with_switch_sizes({}, switches);
    PairBenchmarks benchmarks(context.pair, std::max<std::uint64_t>(4 * sizes.back(), 1 << 20));
    const double G = context.pair.from_first(profile.loggp.G);
    std::deque<Series> one_way(sizes.size());
    std::deque<Series> both_ways(sizes.size());
    Campaign campaign(context.sampling);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const std::uint64_t size = sizes[i];
        const std::uint64_t count = flood_count(G * static_cast<double>(size), context.longest);
        campaign.add("bandwidth", {&one_way[i]}, [&, i, size, count] {
            benchmarks.flood_gaps(size, count, false, 1, one_way[i]);
        });
        campaign.add("bandwidth both ways", {&both_ways[i]}, [&, i, size, count] {
            benchmarks.flood_gaps(size, count, true, 1, both_ways[i]);
        });
    }
    campaign.run();
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

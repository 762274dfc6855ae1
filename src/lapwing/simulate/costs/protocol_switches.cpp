#include "lapwing/simulate/costs/protocol_switches.hpp"

#include <algorithm>

namespace lapwing::simulate {

std::vector<std::size_t> switches_between(const std::vector<std::uint64_t>& switches,
                                          std::uint64_t from, std::uint64_t to) {
    std::vector<std::size_t> within;
    for (std::size_t k = 0; k < switches.size(); ++k)
        if (switches[k] > from && switches[k] + 1 < to) within.push_back(k);
    return within;
}

namespace {

/// How much steeper, or flatter, than its neighbours a line with a switch in it may be.
constexpr double steeper = 2;

/// What half a round trip grows by from one entry of its table to the next.
struct Rise {
    double jumps = 0;  ///< at switches, seconds
    double slope = 0;  ///< without them, seconds per byte
};

Rise rise(const Timings& half_round_trip, const Protocol& protocol, std::size_t entry) {
    const auto& [sizes, seconds] = half_round_trip;
    Rise rise;
    for (const std::size_t k : switches_between(protocol.switches, sizes[entry], sizes[entry + 1]))
        rise.jumps += protocol.switch_costs[k];
    rise.slope = (seconds[entry + 1] - seconds[entry] - rise.jumps) /
                 static_cast<double>(sizes[entry + 1] - sizes[entry]);
    return rise;
}

}  // namespace

Timings with_switches(const Timings& half_round_trip, const Protocol& protocol) {
    const auto& [sizes, seconds] = half_round_trip;
    Timings table;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        table.sizes.push_back(sizes[i]);
        table.seconds.push_back(seconds[i]);
        if (i + 1 == sizes.size()) break;
        const Rise found = rise(half_round_trip, protocol, i);
        double slope = found.slope;
        if (found.jumps != 0 && i > 0 && i + 2 < sizes.size()) {
            const auto [least, most] = std::minmax({rise(half_round_trip, protocol, i - 1).slope,
                                                    rise(half_round_trip, protocol, i + 1).slope});
            slope =
                std::clamp(slope, std::min(least, least / steeper), std::max(most, steeper * most));
        }
        const double bytes = static_cast<double>(sizes[i + 1] - sizes[i]);
        const double larger =
            found.jumps == 0 ? 1 : 1 + (found.slope - slope) * bytes / found.jumps;
        double before = 0;
        for (const std::size_t k : switches_between(protocol.switches, sizes[i], sizes[i + 1])) {
            const std::uint64_t size = protocol.switches[k];
            if (size <= table.sizes.back()) continue;
            const double jump = larger * protocol.switch_costs[k];
            const double here = seconds[i] + slope * static_cast<double>(size - sizes[i]) + before;
            before += jump;
            table.sizes.insert(table.sizes.end(), {size, size + 1});
            table.seconds.insert(table.seconds.end(), {here, here + jump + slope});
        }
    }
    return table;
}

}  // namespace lapwing::simulate

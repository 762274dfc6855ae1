#include "lapwing/plan/costs/pattern_line.hpp"

#include <algorithm>
#include <string_view>

#include "lapwing/model/packing.hpp"
#include "lapwing/profile/pattern_gap.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing {
namespace {

/// How many times as long the wire takes where all ranks send to all and leaf switches have fewer
/// uplinks than nodes. Of the messages to the rank `d` further on, those of the last `d` nodes of a
/// leaf leave it.
double oversubscription(const Profile& profile, std::uint64_t ranks) {
    if (!profile.topology || profile.topology->uplinks <= 0) return 1;
    const auto below = static_cast<std::uint64_t>(std::max(1, profile.topology->below));
    const auto uplinks = static_cast<double>(profile.topology->uplinks);
    double sum = 0;
    for (std::uint64_t d = 1; d < ranks; ++d) {
        const auto leaving = static_cast<double>(std::min({d, ranks - d, below}));
        sum += std::max(1.0, ranks > below ? leaving / uplinks : 1.0);
    }
    return sum / static_cast<double>(ranks - 1);
}

/// Adds what packing strided data takes the processors at both ends, the cheaper way.
void add_packing(RankCosts& costs, const Profile& profile) {
    const Workload& workload = costs.workload;
    if (!is_strided(workload)) return;
    const Log3P& table = strided_costs(profile);
    const double stride = model::element_stride(table, static_cast<double>(workload.block),
                                                static_cast<double>(workload.stride));
    const auto size = std::min(static_cast<double>(costs.bytes_per_peer),
                               static_cast<double>(table.sizes.back()));
    const double contiguous = model::at_size(table, table.peer, size);
    const auto ways = model::packing(table, size, stride);
    const double adds = std::max(0.0, std::min(ways.derived, ways.packed) - contiguous);
    costs.line.o_s.per_byte += adds / 2 / size;
    costs.line.o_r.per_byte += adds / 2 / size;
    costs.packing = ways.pack() ? Packing::blocked : Packing::derived;
}

/// The profile's pattern in which ranks share the wire as they do here; "" where none do.
std::string_view measured_pattern(const Workload& workload) {
    const Pattern pattern = workload.pattern;
    if (pattern == Pattern::halo) return "nearest-neighbour";
    if (pattern == Pattern::congested ||
        (pattern == Pattern::multi && workload.direction == Direction::fetch))
        return "gather";
    return with_all(pattern) ? "alltoall" : "";
}

}  // namespace

bool is_two_way(const Workload& workload) {
    const Pattern pattern = workload.pattern;
    return workload.direction == Direction::both ||
           !(pattern == Pattern::stream || pattern == Pattern::multi ||
             pattern == Pattern::congested);
}

bool shares_window(const Workload& workload) {
    return workload.pattern == Pattern::multi || workload.pattern == Pattern::alltoall ||
           workload.pattern == Pattern::halo;
}

void set_pattern_line(RankCosts& costs, const Profile& profile, const PatternWire& wire) {
    const Workload& workload = costs.workload;
    const auto peers = static_cast<double>(workload.peers);
    const auto others = static_cast<double>(workload.ranks - 1);
    const bool fetches = workload.direction == Direction::fetch;
    model::Stream& line = costs.line;
    line = model::stream_costs(*costs.link, costs.volume(), workload.compute);
    add_packing(costs, profile);
    const std::string_view pattern = measured_pattern(workload);
    const auto largest = static_cast<double>(wire.largest);
    if (costs.two_way) line.G = std::max(line.G, two_way_gap(*costs.link));
    line.G = std::max(line.G, pattern_gap(profile, pattern, workload.ranks, largest));
    line.G = std::min(line.G, wire.slowest);
    if (pattern == "alltoall") line.G *= oversubscription(profile, workload.ranks);
    switch (workload.pattern) {
        case Pattern::multi:
            if (!costs.two_way) (fetches ? line.o_s : line.o_r) *= 1 / peers;
            break;
        case Pattern::congested:
            line.G *= peers;
            line.h *= peers;
            (fetches ? line.o_s : line.o_r) *= peers;
            break;
        case Pattern::collective: {
            const double sizes = (line.o_s.base + line.o_r.base) * others;
            line.o_s.base *= others;
            line.o_r.base *= others;
            line.h *= others;
            if (workload.sizes_known) break;
            // Sizes are sent ahead, a small message to each rank, and data waits for them.
            line.o_s.base += sizes;
            line.L *= 2;
            break;
        }
        case Pattern::buckets:  // all of a message goes to each of the others
            line.o_s *= others;
            line.o_r *= others;
            line.h *= others;
            line.G *= others;
            break;
        default:
            break;
    }
}

}  // namespace lapwing

#include "lapwing/plan/costs/pattern_line.hpp"

#include <algorithm>
#include <string_view>

#include "lapwing/model/packing.hpp"
#include "lapwing/profile/pattern_gap.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing {
namespace {

using model::Stream;

LinearCost times(const LinearCost& line, double factor) {
    return {line.base * factor, line.per_byte * factor};
}
LinearCost plus(const LinearCost& a, const LinearCost& b) {
    return {a.base + b.base, a.per_byte + b.per_byte};
}

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
    const LinearCost end{0, adds / 2 / size};
    costs.line.o_s = plus(costs.line.o_s, end);
    costs.line.o_r = plus(costs.line.o_r, end);
    costs.packing = ways.pack() ? Packing::blocked : Packing::derived;
}

/// The pattern's G: of the profile's patterns, that of the name, if it is slower.
double pattern_G(const RankCosts& costs, const Profile& profile, std::string_view name,
                 const PatternWire& wire) {
    double G = costs.line.G;
    if (costs.two_way) G = std::max(G, two_way_gap(*costs.link));
    if (!name.empty())
        G = std::max(
            G, pattern_gap(profile, name, costs.workload.ranks, static_cast<double>(wire.largest)));
    return std::min(G, wire.slowest);
}

/// An all-to-all as one message: one to each of the others, its parts of the tile.
void apply_alltoall(Stream& line, const Workload& workload) {
    const auto others = static_cast<double>(workload.ranks - 1);
    const double sizes = (line.o_s.base + line.o_r.base) * others;
    line.o_s.base *= others;
    line.o_r.base *= others;
    line.h *= others;
    if (workload.sizes_known) return;
    // Sizes are sent ahead, a small message to each rank, and data waits for them.
    line.o_s.base += sizes;
    line.L *= 2;
}

/// A sum as one message: all of it goes to each of the others.
void apply_allreduce(Stream& line, const Workload& workload) {
    const auto others = static_cast<double>(workload.ranks - 1);
    line.o_s = times(line.o_s, others);
    line.o_r = times(line.o_r, others);
    line.h *= others;
    line.G *= others;
}

}  // namespace

bool is_two_way(const Workload& workload) {
    switch (workload.pattern) {
        case Pattern::stream:
        case Pattern::multi:
        case Pattern::congested:
            return workload.direction == Direction::both;
        default:
            return true;
    }
}

bool shares_window(const Workload& workload) {
    return workload.pattern == Pattern::multi || workload.pattern == Pattern::alltoall ||
           workload.pattern == Pattern::halo;
}

void set_pattern_line(RankCosts& costs, const Profile& profile, const PatternWire& wire) {
    const Workload& workload = costs.workload;
    const auto peers = static_cast<double>(workload.peers);
    const bool fetches = workload.direction == Direction::fetch;
    Stream& line = costs.line;
    line = model::stream_costs(*costs.link, costs.volume(), workload.compute);
    add_packing(costs, profile);
    switch (workload.pattern) {
        case Pattern::stream:
            line.G = pattern_G(costs, profile, "", wire);
            break;
        case Pattern::multi:
            line.G = pattern_G(costs, profile, fetches ? "gather" : "", wire);
            if (!costs.two_way) {
                LinearCost& far = fetches ? line.o_s : line.o_r;
                far = times(far, 1 / peers);
            }
            break;
        case Pattern::congested: {
            line.G = peers * pattern_G(costs, profile, "gather", wire);
            line.h *= peers;
            LinearCost& one = fetches ? line.o_s : line.o_r;
            one = times(one, peers);
            break;
        }
        case Pattern::halo:
            line.G = pattern_G(costs, profile, "nearest-neighbour", wire);
            break;
        case Pattern::alltoall:
        case Pattern::collective:
        case Pattern::buckets:
            line.G = pattern_G(costs, profile, "alltoall", wire) *
                     oversubscription(profile, workload.ranks);
            if (workload.pattern == Pattern::collective) apply_alltoall(line, workload);
            if (workload.pattern == Pattern::buckets) apply_allreduce(line, workload);
            break;
    }
}

}  // namespace lapwing

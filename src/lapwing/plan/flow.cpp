#include "lapwing/plan/flow.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "lapwing/model/packing.hpp"
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

/// Seconds per byte of long messages among `ranks` that were measured in this pattern, those of the
/// nearest number of ranks not below; 0 where none was.
double measured_gap(const Profile& profile, std::string_view name, std::uint64_t ranks) {
    for (const auto& pattern : profile.patterns) {
        if (pattern.pattern != name || pattern.processes.empty() || pattern.sizes.empty()) continue;
        std::size_t row = 0;
        while (row + 1 < pattern.processes.size() &&
               static_cast<std::uint64_t>(pattern.processes[row]) < ranks)
            ++row;
        const double gap = pattern.slowest[row].back();
        const double others = std::max(1, pattern.processes[row] - 1);
        return name == "gather" ? gap / others : gap;
    }
    return 0;
}

/// How much longer the wire takes where all ranks send to all: links up from leaf switches that are
/// fewer than the nodes below them are shared. Of the messages to the rank `d` away, those of the
/// last `d` nodes of a leaf leave it.
double leaves(const Profile& profile, std::uint64_t ranks) {
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

/// The costs with the wire at `gap` seconds per byte, if that is slower.
void slow_down(Stream& costs, double gap) { costs.G = std::max(costs.G, gap); }

/// Strided data: what gathering it takes the processors at both ends, the cheaper way.
void pack(Flow& flow, const Profile& profile, const Workload& workload) {
    if (!is_strided(workload)) return;
    const Log3P& table = strided_costs(profile);
    const double stride = model::element_stride(table, static_cast<double>(workload.block),
                                                static_cast<double>(workload.stride));
    const auto size =
        std::min(static_cast<double>(flow.own), static_cast<double>(table.sizes.back()));
    const double contiguous = model::at_size(table, table.peer, size);
    const auto ways = model::packing(table, size, stride);
    const double adds = std::max(0.0, std::min(ways.derived, ways.packed) - contiguous);
    const LinearCost end{0, adds / 2 / size};
    flow.costs.o_s = plus(flow.costs.o_s, end);
    flow.costs.o_r = plus(flow.costs.o_r, end);
    flow.packing = ways.pack() ? Packing::blocked : Packing::derived;
}

/// A message to each of `others` at once, `S` bytes in all of them together.
void to_each(Stream& costs, double others) {
    costs.o_s.base *= others;
    costs.o_r.base *= others;
    costs.h *= others;
}

/// An all-to-all as a message: one to each of the others, its parts of the tile.
void collective(Flow& flow, const Workload& workload) {
    const auto others = static_cast<double>(workload.ranks - 1);
    const LinearCost sizes = plus({flow.costs.o_s.base, 0}, {flow.costs.o_r.base, 0});
    to_each(flow.costs, others);
    flow.transport = "collective";
    if (workload.sizes_known) return;
    // Sizes go ahead of the data, a small message to each, and data waits for them.
    flow.costs.o_s = plus(flow.costs.o_s, times(sizes, others));
    flow.costs.L *= 2;
}

/// A sum as a message, by a non-blocking collective: those are flat, all of it goes to each of the
/// others.
void sum(Flow& flow, const Workload& workload) {
    const auto others = static_cast<double>(workload.ranks - 1);
    flow.costs.o_s = times(flow.costs.o_s, others);
    flow.costs.o_r = times(flow.costs.o_r, others);
    flow.costs.h *= others;
    flow.costs.G *= others;
    flow.transport = "collective";
}

}  // namespace

Flow flow(const Profile& profile, const Workload& workload) {
    Flow flow;
    const auto peers = static_cast<double>(workload.peers);
    flow.own = peer_volume(workload);
    const bool many = workload.pattern == Pattern::multi || workload.pattern == Pattern::alltoall ||
                      workload.pattern == Pattern::halo;
    flow.peers = many ? workload.peers : 1;
    flow.volume = static_cast<double>(flow.own) * static_cast<double>(flow.peers);
    flow.costs = model::stream_costs(profile, flow.volume, workload.compute);
    pack(flow, profile, workload);
    Stream& costs = flow.costs;
    const bool fetches = workload.direction == Direction::fetch;
    switch (workload.pattern) {
        case Pattern::stream:
            flow.two_way = workload.direction == Direction::both;
            if (flow.two_way) slow_down(costs, two_way_gap(profile));
            break;
        case Pattern::multi:
            flow.two_way = workload.direction == Direction::both;
            if (flow.two_way) {
                slow_down(costs, two_way_gap(profile));
            } else {
                LinearCost& far = fetches ? costs.o_s : costs.o_r;
                far = times(far, 1 / peers);
                if (fetches) slow_down(costs, measured_gap(profile, "gather", workload.ranks));
            }
            break;
        case Pattern::congested: {
            flow.two_way = workload.direction == Direction::both;
            slow_down(costs, measured_gap(profile, "gather", workload.ranks));
            if (flow.two_way) slow_down(costs, two_way_gap(profile));
            LinearCost& one = fetches ? costs.o_s : costs.o_r;
            one = times(one, peers);
            costs.G *= peers;
            costs.h *= peers;
            break;
        }
        case Pattern::alltoall:
        case Pattern::collective:
        case Pattern::buckets:
            flow.two_way = true;
            slow_down(costs, two_way_gap(profile));
            slow_down(costs, measured_gap(profile, "alltoall", workload.ranks));
            slow_down(costs, costs.G * leaves(profile, workload.ranks));
            if (workload.pattern == Pattern::collective) collective(flow, workload);
            if (workload.pattern == Pattern::buckets) sum(flow, workload);
            break;
        case Pattern::halo:
            flow.two_way = true;
            slow_down(costs, two_way_gap(profile));
            slow_down(costs, measured_gap(profile, "nearest-neighbour", workload.ranks));
            break;
    }
    return flow;
}

}  // namespace lapwing

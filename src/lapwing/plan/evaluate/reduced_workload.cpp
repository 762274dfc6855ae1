#include "lapwing/plan/evaluate/reduced_workload.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "lapwing/simulate/links/routes.hpp"
#include "lapwing/simulate/links/topology.hpp"

namespace lapwing {
namespace {

/// A share of `bytes`, in whole grains and at least one.
std::uint64_t share_of(std::uint64_t bytes, double share, std::uint64_t grain) {
    const double grains = static_cast<double>(bytes) * share / static_cast<double>(grain);
    return static_cast<std::uint64_t>(std::max(1LL, std::llround(grains))) * grain;
}

/// The load of the busiest link, in loads of a node's link, if all ranks send to all.
double busiest_load(const Topology& topology, std::uint64_t ranks) {
    constexpr std::uint64_t most = 256;  // more ranks are spread like these
    const auto used = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(ranks, 2, most));
    const simulate::Routes routes(simulate::Topology(topology), used);
    std::vector<double> loads(routes.links());
    for (std::uint32_t from = 0; from < used; ++from)
        for (std::uint32_t to = 0; to < used; ++to)
            if (from != to)
                for (const simulate::Link link : routes.path(from, to))
                    loads[link] += 1 / (routes.lanes(link) * routes.rate(link));
    return std::ranges::max(loads) / (used - 1);
}

}  // namespace

Candidate ReducedWorkload::candidate(const Candidate& whole) const {
    Candidate reduced = whole;
    const std::uint64_t grain = whole.messages.grain();
    if (share == 1) return reduced;
    reduced.messages = Messages(grain);
    for (const auto& [size, count] : whole.messages.runs())
        reduced.messages.append(share_of(size, share, grain), count);
    return reduced;
}

ReducedWorkload scale_down(const Workload& workload, std::uint64_t ranks) {
    ReducedWorkload reduced{.workload = workload};
    if (!with_all(workload.pattern) || ranks >= workload.ranks) return reduced;
    const double share = static_cast<double>(ranks - 1) / static_cast<double>(workload.ranks - 1);
    reduced.workload.ranks = ranks;
    reduced.workload.peers = ranks - 1;
    reduced.workload.compute *= share;
    reduced.time_scale = 1 / share;
    if (workload.pattern == Pattern::alltoall)
        reduced.workload.volume = peer_volume(workload) * (ranks - 1);
    if (workload.pattern == Pattern::collective) {
        reduced.share = share;
        reduced.workload.volume = share_of(workload.volume, share, workload.grain);
    }
    return reduced;
}

std::optional<Topology> scale_down(const std::optional<Topology>& topology, std::uint64_t ranks) {
    if (!topology) return topology;
    Topology reduced = *topology;
    reduced.below = static_cast<int>(std::max(1L, std::lround(busiest_load(*topology, ranks))));
    reduced.uplinks = reduced.below > 1 ? 1 : 0;
    reduced.nodes = reduced.below + 1;  // fewer than the ranks, which fill leaf after leaf
    reduced.interconnect.clear();
    reduced.placement.clear();
    return reduced;
}

}  // namespace lapwing

#include "lapwing/plan/fewer.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "lapwing/simulate/links/topology.hpp"

namespace lapwing {
namespace {

/// In whole grains, and at least one.
std::uint64_t part(std::uint64_t bytes, double share, std::uint64_t grain) {
    const double grains = static_cast<double>(bytes) * share / static_cast<double>(grain);
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(grains))) * grain;
}

/// How many times as much as a node's link the busiest has to carry.
double busiest(const Topology& topology, std::uint64_t ranks) {
    // More of them are spread like these.
    constexpr std::uint64_t most = 256;
    const auto used = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(ranks, 2, most));
    const simulate::Topology::View view(simulate::Topology(topology), used);
    std::vector<std::uint32_t> carries(view.links());
    for (std::uint32_t from = 0; from < used; ++from)
        for (std::uint32_t to = 0; to < used; ++to)
            if (from != to)
                for (const simulate::Link link : view.path(from, to)) ++carries[link];
    return static_cast<double>(*std::max_element(carries.begin(), carries.end())) / (used - 1);
}

}  // namespace

Messages Fewer::messages(const Messages& whole) const {
    if (share == 1) return whole;
    Messages fewer(whole.grain());
    for (const auto& [size, count] : whole.runs())
        fewer.append(part(size, share, whole.grain()), count);
    return fewer;
}

Fewer among(const Workload& workload, std::uint64_t ranks) {
    Fewer fewer{.workload = workload};
    if (!with_all(workload.pattern) || ranks >= workload.ranks) return fewer;
    const double share = static_cast<double>(ranks - 1) / static_cast<double>(workload.ranks - 1);
    fewer.workload.ranks = ranks;
    fewer.workload.peers = ranks - 1;
    fewer.workload.compute *= share;
    fewer.longer = 1 / share;
    if (workload.pattern == Pattern::alltoall)
        fewer.workload.volume = peer_volume(workload) * (ranks - 1);
    if (workload.pattern == Pattern::collective) {
        fewer.share = share;
        fewer.workload.volume = part(workload.volume, share, workload.grain);
    }
    return fewer;
}

std::optional<Topology> narrowed(const std::optional<Topology>& topology, std::uint64_t ranks) {
    if (!topology) return topology;
    const int each = static_cast<int>(std::lround(busiest(*topology, ranks)));
    Topology narrow = *topology;
    narrow.below = each;
    narrow.uplinks = each > 1 ? 1 : 0;
    narrow.nodes = each + 1;  // fewer than there are ranks: those fill one leaf after the other
    return narrow;
}

}  // namespace lapwing

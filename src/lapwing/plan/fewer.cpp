#include "lapwing/plan/fewer.hpp"

#include <algorithm>
#include <cmath>

namespace lapwing {
namespace {

/// In whole grains, and at least one.
std::uint64_t part(std::uint64_t bytes, double share, std::uint64_t grain) {
    const double grains = static_cast<double>(bytes) * share / static_cast<double>(grain);
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(grains))) * grain;
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

std::optional<Topology> narrowed(const std::optional<Topology>& topology) {
    if (!topology || topology->uplinks <= 0) return topology;
    const int each = (topology->below + topology->uplinks / 2) / topology->uplinks;
    if (each <= 1) return topology;
    Topology narrow = *topology;
    narrow.below = each;
    narrow.uplinks = 1;
    narrow.nodes = each + 1;  // fewer than there are ranks: those fill one leaf after the other
    return narrow;
}

}  // namespace lapwing

#include "lapwing/predict/network.hpp"

#include <algorithm>
#include <vector>

#include "lapwing/simulate/costs/measured_machine.hpp"

namespace lapwing {
namespace {

/// The sizes (bytes) at which the machine's costs may bend. Between them, and beyond the last two,
/// they are straight lines.
std::vector<std::uint64_t> corners(const Profile& profile, bool strided) {
    std::vector<std::uint64_t> sizes{0, 1};
    const auto add = [&](const std::vector<std::uint64_t>& table) {
        sizes.insert(sizes.end(), table.begin(), table.end());
    };
    add(profile.overhead.sizes);
    add(profile.bandwidth.sizes);
    if (profile.latency) add(profile.latency->sizes);
    if (profile.protocol) {
        add(profile.protocol->switches);
        for (const auto size : profile.protocol->switches) sizes.push_back(size + 1);
        if (profile.protocol->eager) sizes.push_back(*profile.protocol->eager + 1);
    }
    for (const auto& pair : profile.pairs) add(pair.sizes);
    if (strided) add(profile.log3p->sizes);
    std::sort(sizes.begin(), sizes.end());
    // The last slope is taken over a long distance, because costs are rounded to picoseconds.
    sizes.push_back(sizes.back() + (std::uint64_t{1} << 30U));
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

model::MessageCosts sample(const simulate::MeasuredMachine& machine, simulate::Rank to,
                           const std::vector<std::uint64_t>& sizes) {
    constexpr double tick = 1 / (1e9 * simulate::MeasuredMachine::nanosecond);
    std::vector<model::MessageCost> costs;
    costs.reserve(sizes.size());
    for (const auto size : sizes) {
        const auto cost = machine.cost(0, to, size);
        // A link that was idle carries the first bytes for free. Closed forms know no idle time:
        // that credit shortens the latency here, and leaves the gap of a flood as it is.
        // Most ranks are under other leaf switches, and all wait for the one with the longest way.
        const bool within = machine.within_node(0, to);
        const auto credit = within ? 0 : std::min(machine.credit(), cost.wire);
        const auto farther = within ? 0 : machine.farthest();
        costs.push_back({.send = static_cast<double>(cost.send) * tick,
                         .latency = static_cast<double>(cost.latency + farther - credit -
                                                        cost.head_start - cost.overlap) *
                                    tick,
                         .wire = static_cast<double>(cost.wire) * tick,
                         .receive = static_cast<double>(cost.receive) * tick,
                         .waits = machine.waits(size),
                         .unexpected = static_cast<double>(cost.unexpected) * tick});
    }
    return {sizes, costs};
}

}  // namespace

model::Network measured_network(const Profile& profile, std::uint64_t ranks_per_node,
                                std::optional<std::uint64_t> stride) {
    const auto together = static_cast<simulate::Rank>(ranks_per_node);
    const simulate::MeasuredMachine machine(
        profile, {.ranks_per_node = together, .topology = {}, .stride = stride});
    const auto sizes = corners(profile, stride.has_value());
    model::Network network;
    network.ranks_per_node = ranks_per_node;
    network.sharing = machine.nic() == Nic::sharing;
    network.between = sample(machine, together, sizes);
    network.within = ranks_per_node > 1 ? sample(machine, 1, sizes) : network.between;
    return network;
}

}  // namespace lapwing

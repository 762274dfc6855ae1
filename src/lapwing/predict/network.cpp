#include "lapwing/predict/network.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "lapwing/model/log3p.hpp"
#include "lapwing/model/packing.hpp"
#include "lapwing/simulate/measured.hpp"

namespace lapwing {
namespace {

/// Sizes between which, and beyond which, the machine's costs are straight lines.
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
    }
    for (const auto& pair : profile.pairs) add(pair.sizes);
    if (strided) add(profile.log3p->sizes);
    std::sort(sizes.begin(), sizes.end());
    // Far beyond, so that a slope is not that of rounded picoseconds.
    sizes.push_back(sizes.back() + (std::uint64_t{1} << 30U));
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

/// What a message of strided data takes more than one side by side, as it was measured to a peer:
/// packing that overlaps transmission adds nothing.
double strided_more(const Log3P& table, double size, double stride) {
    const double side_by_side =
        model::log3p(table, size, static_cast<double>(table.element)).total();
    return std::max(0.0, model::packing(table, size, stride).derived - side_by_side);
}

model::MessageCosts sample(const simulate::Measured& machine, simulate::Rank to,
                           const std::vector<std::uint64_t>& sizes, const Profile& profile,
                           std::optional<std::uint64_t> stride) {
    constexpr double tick = 1 / (1e9 * simulate::Measured::nanosecond);
    std::vector<model::MessageCost> costs;
    costs.reserve(sizes.size());
    for (const auto size : sizes) {
        const auto cost = machine.cost(0, to, size);
        model::MessageCost sampled{.send = static_cast<double>(cost.send) * tick,
                                   .latency = static_cast<double>(cost.latency) * tick,
                                   .wire = static_cast<double>(cost.wire) * tick,
                                   .receive = static_cast<double>(cost.receive) * tick};
        if (stride) {
            const double side = strided_more(*profile.log3p, static_cast<double>(size),
                                             static_cast<double>(*stride)) /
                                2;
            sampled.send += side;
            sampled.receive += side;
        }
        costs.push_back(sampled);
    }
    return {sizes, costs};
}

}  // namespace

model::Network measured_network(const Profile& profile, std::uint64_t ranks_per_node,
                                std::optional<std::uint64_t> stride) {
    if (stride && (!profile.log3p || profile.log3p->strides.empty()))
        throw std::invalid_argument(
            "the profile does not say what strided data costs (log3p): lapwing calibrate --only "
            "log3p "
            "measures it");
    const auto together = static_cast<simulate::Rank>(ranks_per_node);
    const simulate::Measured machine(profile, together);
    const auto sizes = corners(profile, stride.has_value());
    model::Network network;
    network.ranks_per_node = ranks_per_node;
    network.between = sample(machine, together, sizes, profile, stride);
    network.within =
        ranks_per_node > 1 ? sample(machine, 1, sizes, profile, stride) : network.between;
    return network;
}

}  // namespace lapwing

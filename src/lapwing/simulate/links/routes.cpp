#include "lapwing/simulate/links/routes.hpp"

#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include "lapwing/simulate/links/dragonfly_switches.hpp"
#include "lapwing/simulate/links/fat_tree_switches.hpp"
#include "lapwing/simulate/links/torus_switches.hpp"

namespace lapwing::simulate {
namespace {

/// One switch: there are no links between switches.
class NoSwitches final : public Switches {
  public:
    [[nodiscard]] std::uint32_t links() const override { return 0; }
    [[nodiscard]] std::uint32_t diameter() const override { return 0; }
    void route(std::uint32_t, std::uint32_t, std::vector<Link>&) const override {}
};

/// The switches of an interconnect on which a program needs nodes up to `most`, without it.
std::unique_ptr<const Switches> switches_of(const Interconnect& interconnect, std::uint32_t most) {
    if (const auto* const tree = std::get_if<FatTree>(&interconnect.shape))
        return std::make_unique<FatTreeSwitches>(*tree, most);
    if (const auto* const torus = std::get_if<Torus>(&interconnect.shape))
        return std::make_unique<TorusSwitches>(*torus);
    if (const auto* const fly = std::get_if<Dragonfly>(&interconnect.shape))
        return std::make_unique<DragonflySwitches>(*fly);
    return std::make_unique<NoSwitches>();
}

/// `used` of the numbers below `all`, drawn one after the other.
std::vector<std::uint32_t> drawn(std::uint64_t all, std::uint32_t used, std::uint64_t seed) {
    std::vector<std::uint32_t> nodes(all);
    std::iota(nodes.begin(), nodes.end(), 0U);
    // Not std::shuffle, which differs from one standard library to another.
    std::mt19937_64 random(seed);
    for (std::uint32_t i = 0; i < used; ++i) std::swap(nodes[i], nodes[i + random() % (all - i)]);
    nodes.resize(used);
    return nodes;
}

/// The numbers of the nodes that a program uses.
std::vector<std::uint32_t> places_of(const Topology& topology, std::uint32_t used) {
    const Placement& placement = topology.placement();
    const std::uint64_t all = nodes_of(topology.interconnect());
    std::vector<std::uint32_t> places(used);
    std::iota(places.begin(), places.end(), 0U);
    const auto* const tree = std::get_if<FatTree>(&topology.interconnect().shape);
    const std::uint64_t over =
        std::max<std::uint64_t>({used, all, tree != nullptr ? tree->nodes : 0});
    switch (placement.order) {
        case Placement::Order::usual:
            if (tree == nullptr) return places;
            [[fallthrough]];
        case Placement::Order::spread:
            for (std::uint32_t i = 0; i < used; ++i)
                places[i] = static_cast<std::uint32_t>(i * over / used);
            return places;
        case Placement::Order::consecutive:
        case Placement::Order::round_robin:
            return places;
        case Placement::Order::random:
            if (all == 0)
                throw std::invalid_argument(
                    "nodes are drawn at random from a topology that says how many it has");
            return drawn(all, used, placement.seed);
        case Placement::Order::listed:
            break;
    }
    if (placement.nodes.size() < used)
        throw std::invalid_argument("the placement names " +
                                    std::to_string(placement.nodes.size()) +
                                    " nodes, and the schedule needs " + std::to_string(used));
    std::copy_n(placement.nodes.begin(), used, places.begin());
    for (const std::uint32_t node : places)
        if (all > 0 && node >= all)
            throw std::invalid_argument("the placement names node " + std::to_string(node) +
                                        ", and the topology has nodes 0 to " +
                                        std::to_string(all - 1));
    return places;
}

}  // namespace

Routes::Routes(const Topology& topology, std::uint32_t used)
    : interfaces_(2 * std::max(used, 1U)),
      per_node_(topology.interconnect().interfaces),
      rate_(topology.interconnect().rate) {
    require_nodes(topology.interconnect(), used);
    places_ = places_of(topology, std::max(used, 1U));
    switches_ =
        switches_of(topology.interconnect(), 1 + *std::max_element(places_.begin(), places_.end()));
}

const std::vector<Link>& Routes::route(std::uint32_t from, std::uint32_t to) const {
    std::vector<Link>& route = found_[std::uint64_t{from} << 32U | to];
    if (!route.empty()) return route;
    route.push_back(2 * from);
    switches_->route(places_[from], places_[to], route);
    for (auto link = route.begin() + 1; link != route.end(); ++link) *link += interfaces_;
    route.push_back(2 * to + 1);
    return route;
}

}  // namespace lapwing::simulate

#include "lapwing/simulate/links/topology.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

namespace lapwing::simulate {

Topology::Topology(Interconnect interconnect, Placement placement)
    : interconnect_(std::move(interconnect)), placement_(std::move(placement)) {}

Topology::Topology(const lapwing::Topology& measured) {
    if (!measured.placement.empty()) placement_ = Placement::from_text(measured.placement);
    if (!measured.interconnect.empty()) {
        interconnect_ = Interconnect::from_text(measured.interconnect);
        return;
    }
    if (measured.uplinks <= 0 || measured.below <= 0 || measured.below >= measured.nodes) return;
    interconnect_.shape = FatTree{.below = static_cast<std::uint32_t>(measured.below),
                                  .uplinks = static_cast<std::uint32_t>(measured.uplinks),
                                  .nodes = static_cast<std::uint32_t>(measured.nodes)};
}

Topology Topology::from_text(std::string_view text) {
    return Topology(Interconnect::from_text(text));
}

bool Topology::flat() const { return std::holds_alternative<SingleSwitch>(interconnect_.shape); }

bool Topology::plain() const {
    const bool known = flat() || std::holds_alternative<FatTree>(interconnect_.shape);
    return known && interconnect_.interfaces == 1 && interconnect_.rate == 1 &&
           placement_.order == Placement::Order::usual;
}

void require_nodes(const Interconnect& interconnect, std::uint32_t used) {
    const std::uint64_t nodes = nodes_of(interconnect);
    if (nodes == 0 || used <= nodes) return;
    const bool tree = std::holds_alternative<FatTree>(interconnect.shape);
    throw std::invalid_argument("the topology has " + std::to_string(nodes) +
                                " nodes, and the schedule needs " + std::to_string(used) +
                                ": take fewer ranks, more on a node, or " +
                                (tree ? "leave out how many nodes there are" : "a larger one"));
}

Topology::View::View(const Topology& topology, std::uint32_t used)
    : used_(std::max(used, 1U)), first_uplink_(2 * used_), links_(first_uplink_) {
    require_nodes(topology.interconnect(), used);
    places_ = used_;
    if (const auto* const tree = std::get_if<FatTree>(&topology.interconnect().shape)) {
        below_ = tree->below;
        uplinks_ = tree->uplinks;
        places_ = std::max(used_, tree->nodes);
        links_ += 2 * uplinks_ * ((places_ + below_ - 1) / below_);
    }
}

}  // namespace lapwing::simulate

#include "lapwing/simulate/links/topology.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

namespace lapwing::simulate {
namespace {

std::uint32_t number(std::string_view text, std::string_view all) {
    std::uint32_t value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || stop != text.data() + text.size() || value == 0 ||
        value > 1U << 20U)
        throw std::invalid_argument("'" + std::string(all) +
                                    "' is no topology; one is flat, fat-tree:BELOW,UPLINKS or "
                                    "fat-tree:BELOW,UPLINKS,NODES with whole numbers from 1 up");
    return value;
}

}  // namespace

Topology::Topology(const lapwing::Topology& measured) {
    if (measured.uplinks <= 0 || measured.below <= 0 || measured.below >= measured.nodes) return;
    *this = Topology(static_cast<std::uint32_t>(measured.below),
                     static_cast<std::uint32_t>(measured.uplinks),
                     static_cast<std::uint32_t>(measured.nodes));
}

Topology Topology::from_text(std::string_view text) {
    constexpr std::string_view tree = "fat-tree:";
    if (text == "flat") return {};
    std::string_view rest = text.substr(0, tree.size()) == tree ? text.substr(tree.size()) : "";
    std::vector<std::uint32_t> numbers;
    for (bool more = true; more;) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        numbers.push_back(number(rest.substr(0, comma), text));
        more = comma < rest.size();
        rest.remove_prefix(more ? comma + 1 : comma);
    }
    if (numbers.size() < 2 || numbers.size() > 3) number("", text);
    Topology topology(numbers[0], numbers[1], numbers.size() == 3 ? numbers[2] : 0);
    topology.whole_ = numbers.size() == 3;
    return topology;
}

Topology::View::View(const Topology& topology, std::uint32_t used)
    : below_(topology.below_),
      uplinks_(topology.uplinks_),
      used_(std::max(used, 1U)),
      places_(std::max(used_, topology.nodes_)),
      first_uplink_(2 * used_),
      links_(first_uplink_) {
    if (topology.whole_ && used > topology.nodes_)
        throw std::invalid_argument("the topology has " + std::to_string(topology.nodes_) +
                                    " nodes, and the schedule needs " + std::to_string(used) +
                                    ": take fewer ranks, more on a node, or leave out how many "
                                    "nodes there are");
    if (below_ != 0) links_ += 2 * uplinks_ * ((places_ + below_ - 1) / below_);
}

}  // namespace lapwing::simulate

#include "lapwing/simulate/program/graph.hpp"

#include <algorithm>

namespace lapwing::simulate {
namespace {

/// Numbers what is used, from 0 without gaps, in the order of its first use.
class Numbers {
  public:
    std::uint32_t of(std::uint8_t used) {
        const auto found = std::find(seen_.begin(), seen_.end(), used);
        if (found != seen_.end()) return static_cast<std::uint32_t>(found - seen_.begin());
        seen_.push_back(used);
        return static_cast<std::uint32_t>(seen_.size() - 1);
    }

  private:
    std::vector<std::uint8_t> seen_;
};

}  // namespace

std::optional<std::uint8_t> pair_of(Graph& graph, std::uint8_t processor, std::uint8_t interface) {
    const std::pair pair(processor, interface);
    if (!graph.pairs.empty() && graph.pairs.front() == pair) return 0;  // nearly always
    const auto found = std::find(graph.pairs.begin(), graph.pairs.end(), pair);
    const auto place = static_cast<std::size_t>(found - graph.pairs.begin());
    if (place == 256) return std::nullopt;
    if (found == graph.pairs.end()) graph.pairs.push_back(pair);
    return static_cast<std::uint8_t>(place);
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> numbered_pairs(const Graph& graph) {
    Numbers processors;
    Numbers interfaces;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    pairs.reserve(graph.pairs.size());
    for (const auto& [processor, interface] : graph.pairs)
        pairs.emplace_back(processors.of(processor), interfaces.of(interface));
    return pairs;
}

}  // namespace lapwing::simulate

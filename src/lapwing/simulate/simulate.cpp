#include "lapwing/simulate/simulate.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "lapwing/simulate/program/graph_program.hpp"

namespace lapwing::simulate {
namespace {

/// The processors or interfaces that are used, numbered without gaps.
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

/// `play` with whoever looks.
template <class Play>
Result with(Observer* observer, const Play& play) {
    return observer == nullptr ? play(Unobserved{}) : play(CallObserver(*observer));
}

template <class Costs>
Result play_collective(const Collective& collective, const Costs& costs, Observer* observer) {
    return with(observer, [&](auto watch) {
        return simulate<Collective, Costs, decltype(watch)>(collective, costs, watch);
    });
}

/// `limit`: how many looks at links at most, where there is one.
template <class Costs, class Watch, class... Limit>
Result play_graph(const Graph& graph, const Costs& costs, Watch watch, Limit... limit) {
    GraphProgram program(graph);
    const std::size_t ranks = graph.ranks.size();
    if (graph.pairs.size() == 1)
        return run_program(program, ranks, OnePort(ranks), costs, watch, limit...);
    Numbers processors;
    Numbers interfaces;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    pairs.reserve(graph.pairs.size());
    for (const auto& [processor, interface] : graph.pairs)
        pairs.emplace_back(processors.of(processor), interfaces.of(interface));
    return run_program(program, ranks, ManyPorts(ranks, std::move(pairs)), costs, watch, limit...);
}

}  // namespace

Result simulate(const Collective& collective, const LogGOPS& costs, Observer* observer) {
    return play_collective(collective, costs, observer);
}
Result simulate(const Collective& collective, const MeasuredMachine& costs, Observer* observer) {
    return play_collective(collective, costs, observer);
}
Result simulate(const Graph& graph, const LogGOPS& costs, Observer* observer) {
    return with(observer, [&](auto watch) { return play_graph(graph, costs, watch); });
}
Result simulate(const Graph& graph, const MeasuredMachine& costs, Observer* observer) {
    return with(observer, [&](auto watch) { return play_graph(graph, costs, watch); });
}
Result simulate(const Graph& graph, const MeasuredMachine& costs, std::uint64_t max_link_updates) {
    return play_graph(graph, costs, Unobserved{}, max_link_updates);
}

}  // namespace lapwing::simulate

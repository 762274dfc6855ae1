#include "lapwing/simulate/program/lower_bound.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lapwing::simulate {

Time lower_bound_ticks(const Graph& graph, const MeasuredMachine& machine) {
    const auto ranks = static_cast<Rank>(graph.ranks.size());
    std::vector<Time> processors(ranks * graph.pairs.size());
    Time early = 0;
    std::vector<Time> links(std::size_t{2} * machine.nodes(ranks));
    for (Rank rank = 0; rank < ranks; ++rank) {
        const auto [first, count] = graph.ranks[rank];
        for (std::uint32_t i = first; i < first + count; ++i) {
            const Node& node = graph.nodes[i];
            const auto busy = [&](Rank who, Time time) {
                processors[who * graph.pairs.size() + node.pair] += time;
            };
            if (node.operation == Operation::calculation)
                busy(rank, static_cast<Time>(node.size) * MeasuredMachine::nanosecond);
            if (node.operation != Operation::send) continue;
            const auto cost = machine.cost(rank, node.peer, node.size);
            busy(rank, cost.send);
            busy(node.peer, cost.receive);
            if (machine.within_node(rank, node.peer)) continue;
            early = std::max(early, cost.early);
            links[std::size_t{2} * machine.node(rank)] += cost.wire;
            links[std::size_t{2} * machine.node(node.peer) + 1] += cost.wire;
        }
    }
    Time most = 0;
    for (const Time time : processors) most = std::max(most, time);
    // Links that give away credit may be occupied for less.
    if (machine.credit() > 0) return most;
    // The last message is delivered `early` before its links are free.
    for (const Time time : links) most = std::max(most, time - early);
    return most;
}

}  // namespace lapwing::simulate

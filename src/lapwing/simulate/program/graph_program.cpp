#include "lapwing/simulate/program/graph_program.hpp"

#include <sstream>
#include <stdexcept>

#include "lapwing/simulate/engine/result.hpp"

namespace lapwing::simulate {
namespace {

constexpr std::size_t named = 4;  // operations that a message names: one line has room for these

std::string tag(std::uint32_t value) {
    return value == any ? "any tag" : "tag " + std::to_string(value);
}
std::string source(std::uint32_t value) {
    return value == any ? "any rank" : "rank " + std::to_string(value);
}

}  // namespace

GraphProgram::GraphProgram(const Graph& graph)
    : graph_(graph),
      matching_(graph),
      started_(waiters(graph, true)),
      ended_(waiters(graph, false)),
      waiting_for_(graph.nodes.size()),
      ended_nodes_(graph.nodes.size()) {
    for (const auto& dependence : graph.requirements) ++waiting_for_[dependence.operation];
    rank_of_.resize(graph.nodes.size());
    for (Rank rank = 0; rank < graph.ranks.size(); ++rank)
        std::fill_n(rank_of_.begin() + graph.ranks[rank].first, graph.ranks[rank].count, rank);
    for (const auto& node : graph.nodes) {
        const bool rank = node.operation != Operation::calculation &&
                          (node.operation == Operation::send || node.peer != any);
        if (rank && node.peer >= graph.ranks.size())
            throw std::runtime_error("an operation names rank " + std::to_string(node.peer) +
                                     ", but there are " + std::to_string(graph.ranks.size()));
    }
}

GraphProgram::Waiters GraphProgram::waiters(const Graph& graph, bool started) {
    Waiters waiters;
    waiters.first.resize(graph.nodes.size() + 1);
    for (const auto& dependence : graph.requirements)
        if (dependence.started == started) ++waiters.first[dependence.on + 1];
    for (std::size_t i = 1; i < waiters.first.size(); ++i) waiters.first[i] += waiters.first[i - 1];
    waiters.nodes.resize(waiters.first.back());
    auto next = waiters.first;
    for (const auto& dependence : graph.requirements)
        if (dependence.started == started)
            waiters.nodes[next[dependence.on]++] = dependence.operation;
    return waiters;
}

/// An operation in a circle of operations that wait for each other, where there is nothing else
/// that any of them waits for.
GraphProgram::Ready GraphProgram::in_circle() const {
    constexpr std::uint32_t none = GraphMatching::none;
    // Each waits for one that has not ended: whoever goes from one to the next, comes back.
    std::vector<std::uint32_t> waits_for(graph_.nodes.size(), none);
    std::uint32_t at = none;
    for (const auto& [operation, on, started] : graph_.requirements) {
        if (ended_nodes_[operation] || ended_nodes_[on]) continue;
        waits_for[operation] = on;
        at = operation;
    }
    std::vector<bool> seen(graph_.nodes.size());
    for (; !seen[at]; at = waits_for[at]) seen[at] = true;
    return {rank_of_[at], at};
}

void GraphProgram::check_ended() const {
    const auto left = matching_.left();
    std::vector<Ready> waiting;
    for (Rank rank = 0; rank < graph_.ranks.size(); ++rank) {
        const auto [first, count] = graph_.ranks[rank];
        for (std::uint32_t i = first; i < first + count; ++i)
            if (!ended_nodes_[i]) waiting.push_back({rank, i});
    }
    if (waiting.empty() && left.messages.empty()) return;

    std::ostringstream text;
    std::size_t told = 0;
    const auto item = [&](const std::string& what) {
        if (told == named) text << "; and more";
        if (told++ >= named) return;
        text << (told > 1 ? "; " : "") << what;
    };
    for (const auto& [rank, i] : waiting) {
        const Node& node = graph_.nodes[i];
        if (waiting_for_[i] > 0) continue;
        const std::string bytes = std::to_string(node.size) + " bytes";
        if (node.operation == Operation::receive)
            item("rank " + std::to_string(rank) + " waits for " + bytes + " from " +
                 source(node.peer) + ", " + tag(node.tag));
        if (node.operation == Operation::send)
            item("rank " + std::to_string(rank) + " waits for rank " + std::to_string(node.peer) +
                 " to receive " + bytes + ", " + tag(node.tag));
    }
    if (told == 0) {
        for (const auto& [rank, i] : left.messages) {
            const Node& node = graph_.nodes[i];
            item("rank " + std::to_string(rank) + " never receives " + std::to_string(node.size) +
                 " bytes from rank " + std::to_string(rank_of_[i]) + ", " + tag(node.tag));
        }
    }
    if (told == 0) {
        const auto [rank, i] = in_circle();
        item("operation " + std::to_string(i - graph_.ranks[rank].first + 1) + " of rank " +
             std::to_string(rank) + " is in a circle of operations that wait for each other");
    }
    const bool stuck = !waiting.empty();
    throw Deadlock((stuck ? "the schedule deadlocks: " : "messages are left over: ") + text.str());
}

}  // namespace lapwing::simulate

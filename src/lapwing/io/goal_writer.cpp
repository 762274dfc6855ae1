#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "lapwing/io/goal.hpp"

namespace lapwing {
namespace {

using simulate::Graph;
using simulate::Node;
using simulate::Operation;

/// A text that grows, and takes numbers without a temporary string.
class Text {
  public:
    Text& operator<<(std::string_view text) {
        text_ += text;
        return *this;
    }
    Text& operator<<(std::uint64_t number) {
        std::array<char, 20> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
        text_.append(digits.data(), end);
        return *this;
    }
    /// A rank or a tag, or -1 for any.
    Text& or_any(std::uint32_t number) {
        return number == simulate::any ? *this << "-1" : *this << std::uint64_t{number};
    }
    std::string take() { return std::move(text_); }

  private:
    std::string text_;
};

/// Appends the line of an operation, without its label.
void write(Text& out, const Graph& graph, const Node& node) {
    switch (node.operation) {
        case Operation::send:
            out << "send " << node.size << "b to " << node.peer << " tag " << node.tag;
            break;
        case Operation::receive:
            out << "recv " << node.size << "b from ";
            out.or_any(node.peer) << " tag ";
            out.or_any(node.tag);
            break;
        case Operation::calculation:
            out << "calc " << node.size;
            break;
    }
    const auto [cpu, nic] = graph.pairs[node.pair];
    if (cpu != 0) out << " cpu " << std::uint64_t{cpu};
    if (nic != 0) out << " nic " << std::uint64_t{nic};
    out << "\n";
}

/// The dependences of each rank's operations, in their order in the graph.
class RequirementsByRank {
  public:
    explicit RequirementsByRank(const Graph& graph)
        : first_(graph.ranks.size() + 1), order_(graph.requirements.size()) {
        std::vector<std::uint32_t> rank_of(graph.nodes.size());
        for (std::uint32_t rank = 0; rank < graph.ranks.size(); ++rank)
            std::fill_n(rank_of.begin() + graph.ranks[rank].first, graph.ranks[rank].count, rank);
        for (const auto& each : graph.requirements) ++first_[rank_of[each.operation] + 1];
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        auto next = first_;
        for (std::uint32_t i = 0; i < order_.size(); ++i)
            order_[next[rank_of[graph.requirements[i].operation]]++] = i;
    }

    /// The places of a rank's dependences in `Graph::requirements`.
    [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t rank) const {
        return std::span(order_).subspan(first_[rank], first_[rank + 1] - first_[rank]);
    }

  private:
    std::vector<std::size_t> first_;  ///< in `order_`, of each rank
    std::vector<std::uint32_t> order_;
};

}  // namespace

std::string to_goal(const simulate::Graph& graph) {
    Text out;
    out << "num_ranks " << graph.ranks.size() << "\n";
    const RequirementsByRank requirements(graph);
    for (std::uint32_t rank = 0; rank < graph.ranks.size(); ++rank) {
        const auto [begin, count] = graph.ranks[rank];
        out << "\nrank " << std::uint64_t{rank} << " {\n";
        for (std::uint32_t i = 0; i < count; ++i) {
            out << "l" << std::uint64_t{i + 1} << ": ";
            write(out, graph, graph.nodes[begin + i]);
        }
        for (const std::uint32_t place : requirements.of(rank)) {
            const simulate::Requirement& each = graph.requirements[place];
            out << "l" << std::uint64_t{each.operation - begin + 1}
                << (each.started ? " irequires l" : " requires l")
                << std::uint64_t{each.on - begin + 1} << "\n";
        }
        out << "}\n";
    }
    return out.take();
}

}  // namespace lapwing

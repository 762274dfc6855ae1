#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "lapwing/simulate/program/graph.hpp"
#include "replay/recorded_program.hpp"

namespace lapwing::tests {

/// A random program whose ranks send each other messages round by round, and wait for them late;
/// beside it the same as a graph.
struct RandomProgram {
    RecordedProgram recorded;
    simulate::Graph graph;
};

/// Writes what one rank does into a graph: what follows a start follows at once, what follows a
/// wait or a computation follows its end.
class GraphRank {
  public:
    explicit GraphRank(simulate::Graph& graph) : graph_(graph) {
        graph.ranks.push_back({static_cast<std::uint32_t>(graph.nodes.size()), 0});
    }
    std::uint32_t add(const simulate::Node& node, bool starts) {
        const auto number = static_cast<std::uint32_t>(graph_.nodes.size());
        graph_.nodes.push_back(node);
        ++graph_.ranks.back().count;
        for (const auto& [on, started] : after_)
            graph_.requirements.push_back({number, on, started});
        after_ = {{number, starts}};
        return number;
    }
    void wait(std::uint32_t node) { after_.emplace_back(node, false); }

  private:
    simulate::Graph& graph_;
    std::vector<std::pair<std::uint32_t, bool>> after_;
};

/// `open`: some receives are from any source, or of any tag.
inline RandomProgram random_program(unsigned seed, bool open) {
    std::mt19937 random(seed);
    const auto up_to = [&](unsigned most) {
        return static_cast<unsigned>(std::uniform_int_distribution<unsigned>(0, most)(random));
    };
    const unsigned ranks = 2 + up_to(5);
    const unsigned rounds = 1 + up_to(5);
    struct Message {
        unsigned from, to, tag;
        std::uint64_t bytes;
    };
    std::vector<std::vector<Message>> messages(rounds);
    for (auto& round : messages)
        for (unsigned i = up_to(3 * ranks); i-- > 0;) {
            const unsigned from = up_to(ranks - 1);
            round.push_back({from, (from + 1 + up_to(ranks - 2)) % ranks, up_to(2),
                             std::uint64_t{1} << up_to(18)});
        }
    RandomProgram program{RecordedProgram(ranks), {}};
    for (unsigned rank = 0; rank < ranks; ++rank) {
        GraphRank graph(program.graph);
        for (const auto& round : messages) {
            const bool any_source = open && up_to(3) == 0;
            const bool any_tag = open && up_to(3) == 0;
            std::vector<std::uint64_t> requests;
            std::vector<std::uint32_t> nodes;
            const auto computed = std::uint64_t{up_to(20000)};
            const auto start = [&](const Message& message, bool sends) {
                record::Record made{
                    .kind = sends ? record::Kind::start_send : record::Kind::start_receive,
                    .request = requests.size()};
                const bool any_peer = any_source && !sends;
                const bool no_tag = any_tag && !sends;
                const unsigned peer = sends ? message.to : message.from;
                (sends ? made.sent : made.received) = {
                    .peer = any_peer ? record::any : std::int64_t{peer},
                    .tag = no_tag ? record::any : std::int64_t{message.tag},
                    .bytes = message.bytes};
                program.recorded.add(rank, made);
                requests.push_back(requests.size());
                nodes.push_back(graph.add(
                    {.operation = sends ? simulate::Operation::send : simulate::Operation::receive,
                     .peer = any_peer ? simulate::any : peer,
                     .tag = no_tag ? simulate::any : message.tag,
                     .size = message.bytes},
                    true));
            };
            for (const Message& message : round)
                if (message.to == rank) start(message, false);
            for (const Message& message : round)
                if (message.from == rank) start(message, true);
            program.recorded.add(
                rank, {.kind = record::Kind::wait, .computed = computed, .requests = requests});
            if (computed > 0)
                graph.add({.operation = simulate::Operation::calculation, .size = computed}, false);
            for (const std::uint32_t node : nodes) graph.wait(node);
        }
        program.recorded.add(rank, {.kind = record::Kind::finish, .computed = 1});
        graph.add({.operation = simulate::Operation::calculation, .size = 1}, false);
    }
    return program;
}

}  // namespace lapwing::tests

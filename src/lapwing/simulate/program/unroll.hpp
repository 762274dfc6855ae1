#pragma once

#include <algorithm>
#include <cstdint>

#include "lapwing/simulate/program/graph.hpp"
#include "lapwing/simulate/program/schedule.hpp"

namespace lapwing::simulate {

/// Appends the sends and receives of a step to `graph`, in the order in which the step lists them.
/// Tags are the receivers' steps.
template <Schedule S>
void append_step(Graph& graph, const S& schedule, Rank rank, std::uint32_t number) {
    const Step step = schedule.step(rank, number);
    const auto add_send = [&](std::uint32_t i) {
        const Send send = schedule.send(rank, number, i);
        graph.nodes.push_back(
            {.operation = Operation::send, .peer = send.to, .tag = send.key, .size = send.bytes});
    };
    const auto add_receive = [&](std::uint32_t i) {
        const Receive receive = schedule.receive(rank, number, i);
        graph.nodes.push_back({.operation = Operation::receive,
                               .peer = receive.from,
                               .tag = number,
                               .size = receive.bytes});
    };
    if (step.alternating) {
        for (std::uint32_t i = 0; i < std::max(step.sends, step.receives); ++i) {
            if (i < step.sends) add_send(i);
            if (i < step.receives) add_receive(i);
        }
    } else {
        for (std::uint32_t i = 0; i < step.sends; ++i) add_send(i);
        for (std::uint32_t i = 0; i < step.receives; ++i) add_receive(i);
    }
}

/// Writes a schedule out: each operation of a step waits for all operations of the step before, and
/// a receive that is posted a step ahead for those of the step before that. On one machine the
/// schedule and its graph end at the same tick.
template <Schedule S>
[[nodiscard]] Graph unroll(const S& schedule) {
    Graph graph;
    graph.ranks.resize(schedule.ranks());
    for (Rank rank = 0; rank < schedule.ranks(); ++rank) {
        const auto first = static_cast<std::uint32_t>(graph.nodes.size());
        std::uint32_t earlier = first;  // first operation of the step before the step before
        std::uint32_t before = first;   // of the step before
        std::uint32_t now = first;      // of this step
        bool ahead = false;
        for (std::uint32_t k = 0; k < schedule.steps(rank); ++k) {
            const Step step = schedule.step(rank, k);
            if (step.sends + step.receives == 0) continue;
            append_step(graph, schedule, rank, k);
            const auto end = static_cast<std::uint32_t>(graph.nodes.size());
            for (std::uint32_t i = now; i < end; ++i) {
                const bool sooner = ahead && graph.nodes[i].operation == Operation::receive;
                for (std::uint32_t j = sooner ? earlier : before; j < (sooner ? before : now); ++j)
                    graph.requirements.push_back({i, j, false});
            }
            earlier = before;
            before = now;
            now = end;
            ahead = step.ahead;
        }
        graph.ranks[rank] = {first, now - first};
    }
    return graph;
}

}  // namespace lapwing::simulate

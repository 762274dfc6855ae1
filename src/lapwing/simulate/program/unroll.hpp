#pragma once

#include <algorithm>
#include <cstdint>

#include "lapwing/simulate/program/graph.hpp"
#include "lapwing/simulate/program/schedule.hpp"

namespace lapwing::simulate {

/// Writes a schedule out: each operation of a step waits for all operations of the step before, and
/// a receive that is posted a step ahead for those of the step before that. Tags are the receivers'
/// steps. On one machine the schedule and its graph end at the same tick.
template <Schedule S>
[[nodiscard]] Graph unroll(const S& schedule) {
    Graph graph;
    graph.ranks.resize(schedule.ranks());
    for (Rank rank = 0; rank < schedule.ranks(); ++rank) {
        const auto first = static_cast<std::uint32_t>(graph.nodes.size());
        std::uint32_t earlier =
            first;  // first operation of the step before that, which ends at `before`
        std::uint32_t before = first;  // first operation of the step before, which ends at `now`
        std::uint32_t now = first;
        bool ahead = false;
        for (std::uint32_t k = 0; k < schedule.steps(rank); ++k) {
            const Step step = schedule.step(rank, k);
            if (step.sends + step.receives == 0) continue;
            const auto add_send = [&](std::uint32_t i) {
                const Send send = schedule.send(rank, k, i);
                graph.nodes.push_back({.operation = Operation::send,
                                       .peer = send.to,
                                       .tag = send.key,
                                       .size = send.bytes});
            };
            const auto add_receive = [&](std::uint32_t i) {
                const Receive receive = schedule.receive(rank, k, i);
                graph.nodes.push_back({.operation = Operation::receive,
                                       .peer = receive.from,
                                       .tag = k,
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

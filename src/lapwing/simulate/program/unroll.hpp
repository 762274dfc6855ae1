#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "lapwing/simulate/program/available_memory.hpp"
#include "lapwing/simulate/program/graph.hpp"
#include "lapwing/simulate/program/memory_of_graph.hpp"
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

/// Writes a schedule out. Each operation of a step waits for all operations of the step before. A
/// receive that is posted a step ahead waits for those of the step before that. On one machine the
/// schedule and its graph end at the same tick. Throws `std::invalid_argument` at once if that
/// takes more memory than there is.
template <Schedule S>
[[nodiscard]] Graph unroll(const S& schedule) {
    require_memory_for_graph(schedule, available_memory());
    Graph graph;
    graph.ranks.resize(schedule.ranks());
    for (Rank rank = 0; rank < schedule.ranks(); ++rank) {
        const auto first = static_cast<std::uint32_t>(graph.nodes.size());
        // First operations: of this step, and of up to three before it, the nearest first.
        std::uint32_t now = first;
        std::array<std::uint32_t, 3> before{first, first, first};
        std::array<bool, 3> ahead{};  // whether those steps posted receives of the next one
        for (std::uint32_t k = 0; k < schedule.steps(rank); ++k) {
            const Step step = schedule.step(rank, k);
            if (step.sends + step.receives == 0) continue;
            append_step(graph, schedule, rank, k);
            const auto end = static_cast<std::uint32_t>(graph.nodes.size());
            for (std::uint32_t i = now; i < end; ++i) {
                const bool sooner = ahead[0] && graph.nodes[i].operation == Operation::receive;
                const std::size_t last = sooner ? 1 : 0;
                // Receives that were posted ahead may have ended before the step that posted them.
                const std::uint32_t from = before[ahead[last + 1] ? last + 1 : last];
                for (std::uint32_t j = from; j < (sooner ? before[0] : now); ++j)
                    graph.requirements.push_back({i, j, false});
            }
            before = {now, before[0], before[1]};
            ahead = {step.ahead, ahead[0], ahead[1]};
            now = end;
        }
        graph.ranks[rank] = {first, now - first};
    }
    return graph;
}

}  // namespace lapwing::simulate

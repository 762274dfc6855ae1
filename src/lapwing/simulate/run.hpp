#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "lapwing/simulate/collectives/collective.hpp"
#include "lapwing/simulate/engine/limits.hpp"
#include "lapwing/simulate/engine/machine.hpp"
#include "lapwing/simulate/engine/observer.hpp"
#include "lapwing/simulate/engine/ports.hpp"
#include "lapwing/simulate/engine/result.hpp"
#include "lapwing/simulate/program/available_memory.hpp"
#include "lapwing/simulate/program/call.hpp"
#include "lapwing/simulate/program/call_program.hpp"
#include "lapwing/simulate/program/graph.hpp"
#include "lapwing/simulate/program/graph_program.hpp"
#include "lapwing/simulate/program/memory_of_messages.hpp"
#include "lapwing/simulate/program/schedule.hpp"
#include "lapwing/simulate/program/step_program.hpp"

namespace lapwing::simulate {

/// Runs `program` on a machine of `ranks` with `network` and `ports`, to its end or to `limits`.
/// All ranks start at 0. Throws `Deadlock` if the program cannot end.
template <class Network, class Ports, class Program, class Watch>
[[nodiscard]] Result run_program(Network network, Ports ports, Program& program, std::size_t ranks,
                                 Watch watch, const Limits& limits = {}) {
    Machine machine(std::move(network), std::move(ports), ranks, program, watch);
    Result result = machine.run(limits);
    if (result.ended) program.check_ended();
    return result;
}

/// Calls `run` with a `Watch` that calls `observer`, or with one that costs nothing if there is
/// none.
template <class Run>
[[nodiscard]] Result run_watched(Observer* observer, const Run& run) {
    return observer == nullptr ? run(Unobserved{}) : run(CallObserver(*observer));
}

/// Runs a schedule that is asked for step by step. `network(ranks, pairs)` makes the network,
/// with `pairs` pairs of a processor and an interface a rank. Throws `std::invalid_argument` at
/// once if that takes more memory than there is.
template <Schedule S, class MakeNetwork>
[[nodiscard]] Result run(const S& schedule, const MakeNetwork& network, Observer* observer) {
    constexpr Rank few = 1000;  // whose messages take 32 MB at most: asking would take longer
    if (schedule.ranks() > few) require_memory(schedule, available_memory());
    return run_watched(observer, [&](auto watch) {
        const std::size_t ranks = schedule.ranks();
        StepProgram<S> program(schedule);
        return run_program(network(ranks, 1), OnePort(ranks), program, ranks, watch);
    });
}

/// Runs what ranks do call by call.
template <class MakeNetwork>
[[nodiscard]] Result run(CallSource& source, const MakeNetwork& network, Observer* observer) {
    return run_watched(observer, [&](auto watch) {
        const std::size_t ranks = source.ranks();
        CallProgram program(source);
        return run_program(network(ranks, 1), OnePort(ranks), program, ranks, watch);
    });
}

/// Runs a schedule that is written out.
template <class MakeNetwork>
[[nodiscard]] Result run(const Graph& graph, const MakeNetwork& network, Observer* observer,
                         const Limits& limits = {}) {
    return run_watched(observer, [&](auto watch) {
        const std::size_t ranks = graph.ranks.size();
        const std::size_t pairs = graph.pairs.size();
        GraphProgram program(graph);
        if (pairs == 1)
            return run_program(network(ranks, pairs), OnePort(ranks), program, ranks, watch,
                               limits);
        return run_program(network(ranks, pairs), ManyPorts(ranks, numbered_pairs(graph)), program,
                           ranks, watch, limits);
    });
}

}  // namespace lapwing::simulate

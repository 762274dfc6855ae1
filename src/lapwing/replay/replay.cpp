#include "lapwing/replay/replay.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "lapwing/replay/recorded_calls.hpp"
#include "lapwing/simulate/simulate.hpp"

namespace lapwing::replay {
namespace {

double seconds(std::uint64_t nanoseconds) { return 1e-9 * static_cast<double>(nanoseconds); }

template <class Machine>
Replayed replay_on(const record::Recording& recording, const Machine& machine,
                   const Options& options, simulate::Observer* observer) {
    RecordedCalls calls(recording, options);
    Replayed replayed{.result = simulate::simulate(calls, machine, observer)};
    replayed.grid = calls.grid();
    std::vector<bool> known(recording.ranks());
    for (Rank rank = 0; rank < calls.ranks(); ++rank) {
        const auto recorded = calls.recorded(rank);
        replayed.computes += options.computation * seconds(recorded.computed);
        if (known[calls.recorded_rank(rank)]) continue;
        known[calls.recorded_rank(rank)] = true;
        replayed.recorded += seconds(recorded.seconds);
        replayed.computed += seconds(recorded.computed);
        replayed.longest = std::max(replayed.longest, seconds(recorded.seconds));
    }
    return replayed;
}

/// Nanoseconds of all calculations.
std::uint64_t computed_in(const simulate::Graph& graph) {
    std::uint64_t computed = 0;
    for (const simulate::Node& node : graph.nodes)
        if (node.operation == simulate::Operation::calculation) computed += node.size;
    return computed;
}

/// The schedule whose calculations take `computation` times as long.
simulate::Graph with_computation(simulate::Graph graph, double computation) {
    for (simulate::Node& node : graph.nodes)
        if (node.operation == simulate::Operation::calculation)
            node.size = scaled(node.size, computation);
    return graph;
}

template <class Machine>
Replayed replay_on(const simulate::Graph& graph, const Machine& machine, const Options& options,
                   simulate::Observer* observer) {
    Replayed replayed;
    replayed.computed = seconds(computed_in(graph));
    replayed.computes = options.computation * replayed.computed;
    replayed.result =
        options.computation == 1
            ? simulate::simulate(graph, machine, observer)
            : simulate::simulate(with_computation(graph, options.computation), machine, observer);
    return replayed;
}

}  // namespace

Replayed replay(const record::Recording& recording, const simulate::MeasuredMachine& machine,
                const Options& options, simulate::Observer* observer) {
    return replay_on(recording, machine, options, observer);
}
Replayed replay(const record::Recording& recording, const simulate::LogGOPS& machine,
                const Options& options, simulate::Observer* observer) {
    return replay_on(recording, machine, options, observer);
}

Replayed replay(const simulate::Graph& graph, const simulate::MeasuredMachine& machine,
                const Options& options, simulate::Observer* observer) {
    return replay_on(graph, machine, options, observer);
}
Replayed replay(const simulate::Graph& graph, const simulate::LogGOPS& machine,
                const Options& options, simulate::Observer* observer) {
    return replay_on(graph, machine, options, observer);
}

}  // namespace lapwing::replay

#pragma once

#include <concepts>
#include <cstdint>
#include <limits>

#include "lapwing/forecast/recorded_rank.hpp"
#include "lapwing/profile/profile.hpp"
#include "lapwing/simulate/costs/measured_machine.hpp"
#include "lapwing/simulate/costs/message_costs.hpp"
#include "lapwing/simulate/engine/limits.hpp"
#include "lapwing/simulate/engine/time.hpp"
#include "lapwing/simulate/program/graph.hpp"
#include "lapwing/simulate/program/graph_writer.hpp"
#include "lapwing/simulate/simulate.hpp"

namespace lapwing {

/// How many ranks a program has, and how many consecutive ones are on a node.
struct ForecastRanks {
    int ranks = 1;
    int per_node = 1;
};

/// Seconds until the last rank of a program ends, from a common start. The machine is that of
/// `profile`. Calls `program(rank)` for each `RecordedRank`, one after the other, and simulates
/// every message. The program is the one that runs for real, a template over its transport:
///
///     const double seconds = lapwing::forecast(machine, {.ranks = 64}, [](auto& rank) {
///         lapwing::Halo halo(rank, edges_of(rank));
///         halo.exchange([&] { rank.compute(20e-6); });
///     });
///
/// Messages are two-sided. A program that takes longer than `most` seconds is not simulated to its
/// end, and infinity is returned. Throws `std::invalid_argument` where the profile lacks a table,
/// and `simulate::Deadlock` for a program that cannot end.
template <std::invocable<RecordedRank&> Program>
[[nodiscard]] double forecast(const Profile& profile, ForecastRanks ranks, Program&& program,
                              double most = std::numeric_limits<double>::infinity()) {
    using simulate::MeasuredMachine;
    MeasuredMachine::Options options{.ranks_per_node = static_cast<simulate::Rank>(ranks.per_node),
                                     .topology = {},
                                     .stride = {}};
    const MeasuredMachine costs(profile, options);
    simulate::Graph graph;
    simulate::GraphWriter writer(graph, costs);
    for (int rank = 0; rank < ranks.ranks; ++rank) {
        writer.begin_rank();
        RecordedRank recorded(writer, rank, ranks.ranks);
        program(recorded);
    }
    // Receive overheads are calculations of the schedule, at the moment a rank waits.
    options.charge_receive_overhead = false;
    constexpr double longest =
        static_cast<double>(simulate::longest_part) * MeasuredMachine::seconds(1);
    simulate::Limits limits;
    if (most < longest) limits.time = simulate::ticks(most);
    const auto result = simulate::simulate(graph, MeasuredMachine(profile, options), limits);
    return result.ended ? MeasuredMachine::seconds(result.finish)
                        : std::numeric_limits<double>::infinity();
}

}  // namespace lapwing

#include "support/pair_selection.hpp"

#include <mpi.h>

#include <charconv>
#include <stdexcept>
#include <type_traits>

#include "lapwing/calibrate/parts/pair_costs.hpp"
#include "lapwing/calibrate/ranks/quiet_barrier.hpp"
#include "lapwing/io/profile_json.hpp"
#include "support/command.hpp"

namespace lapwing::tools {
namespace {

NamedPair parse_pair(const std::string& text, int size) {
    NamedPair pair{.name = text, .ranks = {}};
    const char* const end = text.data() + text.size();
    const auto [comma, first] = std::from_chars(text.data(), end, pair.ranks[0]);
    if (first == std::errc{} && comma != end && *comma == ',') {
        const auto [rest, second] = std::from_chars(comma + 1, end, pair.ranks[1]);
        const auto& [one, other] = pair.ranks;
        const bool there = one >= 0 && other >= 0 && one < size && other < size;
        if (second == std::errc{} && rest == end && there && one != other) return pair;
    }
    throw std::runtime_error("--pair " + text + ": two different ranks from 0 to " +
                             std::to_string(size - 1) + " are needed, e.g. 0,1");
}

/// What the first rank of a pair measured; it is sent to rank 0.
struct Found {
    std::vector<PairCosts> costs;
    NoiseCounts noise;
};

Found to_rank_0(Found found, int from) {
    static_assert(std::is_trivially_copyable_v<NoiseCounts>);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (from == 0 || (rank != 0 && rank != from)) return found;
    std::string document;
    if (rank == from) {
        Profile carrier;
        carrier.loggp = found.costs.front().loggp;
        carrier.pairs = found.costs;
        document = to_json(carrier);
    }
    auto length = static_cast<int>(document.size());
    if (rank == from) {
        MPI_Send(&length, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(document.data(), length, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&found.noise, sizeof(NoiseCounts), MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        return {};
    }
    MPI_Recv(&length, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    document.resize(static_cast<std::size_t>(length));
    MPI_Recv(document.data(), length, MPI_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&found.noise, sizeof(NoiseCounts), MPI_BYTE, from, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    found.costs = profile_from_json(document).pairs;
    return found;
}

}  // namespace

std::vector<NamedPair> pairs_to_measure(const std::vector<std::string>& named, const Nodes& nodes,
                                        int size) {
    std::vector<NamedPair> pairs;
    if (nodes.two_kinds()) {
        pairs.push_back({.name = "within a node", .ranks = *nodes.within()});
        pairs.push_back({.name = "between nodes", .ranks = *nodes.between()});
    }
    for (const auto& text : named) pairs.push_back(parse_pair(text, size));
    return pairs;
}

void measure_pairs(const std::vector<NamedPair>& pairs, const SamplingGoal& goal, double seconds,
                   Profile& profile, NoiseCounts& noise, const StatusCallback& report) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double done = 0;
    for (const auto& [name, ranks] : pairs) {
        if (rank == 0 && report)
            report(done / static_cast<double>(pairs.size()),
                   "ranks " + std::to_string(ranks[0]) + " and " + std::to_string(ranks[1]));
        Found found;
        with_pair(ranks, [&, &name = name, &ranks = ranks](auto& pair, MPI_Comm two) {
            EnvironmentMonitor environment(pair);
            const SamplingGoal of_pair{goal.accuracy, seconds, goal.least};
            Context context{pair, two, {pair, environment, found.noise, of_pair, {}}, 5e-3};
            auto costs = measure_pair_costs(context, name, ranks);
            if (pair.first()) found.costs.push_back(std::move(costs));
        });
        quiet_barrier(MPI_COMM_WORLD);
        found = to_rank_0(std::move(found), ranks[0]);
        if (rank == 0) {
            profile.pairs.push_back(found.costs.front());
            noise += found.noise;
        }
        ++done;
    }
}

}  // namespace lapwing::tools

#include "lapwing/replay/collective_algorithms.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "lapwing/predict/selection.hpp"
#include "lapwing/replay/block_steps.hpp"
#include "lapwing/replay/simgrid_defaults.hpp"
#include "lapwing/simulate/collectives/make_collective.hpp"

namespace lapwing::replay {
namespace {

using record::Collective;

constexpr const char* simgrid = "simgrid";

/// The engine's name of a collective whose blocks are equal; null if the engine has none.
const char* operation_of(Collective collective) {
    switch (collective) {
        case Collective::barrier:
            return "barrier";
        case Collective::bcast:
            return "bcast";
        case Collective::reduce:
            return "reduce";
        case Collective::allreduce:
            return "allreduce";
        case Collective::gather:
            return "gather";
        case Collective::scatter:
            return "scatter";
        case Collective::allgather:
            return "allgather";
        case Collective::alltoall:
            return "alltoall";
        case Collective::reduce_scatter:
        case Collective::reduce_scatter_block:
            return "reduce_scatter";
        default:
            return nullptr;
    }
}

}  // namespace

std::vector<std::string> CollectiveAlgorithms::libraries() {
    std::vector<std::string> names = selections();
    names.emplace_back(simgrid);
    return names;
}

CollectiveAlgorithms::CollectiveAlgorithms(std::string library,
                                           std::map<std::string, std::string> chosen)
    : library_(std::move(library)), chosen_(std::move(chosen)) {
    const auto known = libraries();
    if (std::find(known.begin(), known.end(), library_) == known.end())
        throw std::invalid_argument("no MPI library '" + library_ +
                                    "' whose choice of algorithms is known");
    // It says what is wrong with a name.
    for (const auto& [operation, algorithm] : chosen_)
        (void)simulate::make_collective(
            {.operation = operation, .algorithm = algorithm, .ranks = 1});
}

Parts CollectiveAlgorithms::parts(const record::Record& record, Rank rank, Rank size) {
    if (record.collective == Collective::create_communicator)
        return creation(rank, size, record.bytes);
    Parts parts = irregular(record, rank, size);
    if (!parts.empty()) return parts;
    const bool blocking = record.kind == record::Kind::collective;
    for (const Made& each : regular(record.collective, blocking, size, record.bytes))
        parts.push_back(steps(each, rank, static_cast<Rank>(record.root)));
    return parts;
}

/// What ranks tell each other for a new communicator, `told` bytes each: all to all, in SimGrid
/// over the first rank. Then how they agree on it. Open MPI's find the lowest number that is free
/// with all, and make sure of it. MPICH's combine masks of free numbers. SimGrid's first rank says
/// it.
Parts CollectiveAlgorithms::creation(Rank rank, Rank size, std::uint64_t told) {
    constexpr std::uint64_t number = 4;
    constexpr std::uint64_t masks = 65 * number;
    Parts parts;
    const auto add = [&](Collective collective, std::uint64_t bytes) {
        for (const Made& each : regular(collective, true, size, bytes))
            parts.push_back(steps(each, rank, 0));
    };
    if (told > 0 && library_ == simgrid) {
        add(Collective::gather, told);
        add(Collective::scatter, sizeof(void*));
    } else if (told > 0) {
        add(Collective::allgather, told);
    }
    if (library_ == simgrid) {
        add(Collective::bcast, number);
    } else if (library_ == "openmpi") {
        for (int i = 0; i < 3; ++i) add(Collective::allreduce, number);
    } else {
        add(Collective::allreduce, masks);
    }
    return parts;
}

/// A rank's part. Linear broadcasts, gathers and scatters go by the order of ranks, wherever the
/// root is.
std::unique_ptr<RankSteps> CollectiveAlgorithms::steps(const Made& made, Rank rank, Rank root) {
    const simulate::CollectiveChoice& choice = made.choice;
    const bool gathers = choice.operation == "gather";
    const bool scatters = choice.operation == "scatter" || choice.operation == "bcast";
    if (choice.algorithm != "linear" || (!gathers && !scatters))
        return std::make_unique<CollectiveSteps>(made.collective, rank, root);
    auto steps = std::make_unique<BlockSteps>(rank, choice.ranks);
    if (gathers) {
        steps->gather(root, choice.size);
    } else {
        steps->scatter(root, std::vector<std::uint64_t>(choice.ranks, choice.size));
    }
    return steps;
}

/// Those that the engine has no algorithms for, and what SimGrid sends from every rank to every
/// other by the order of ranks; empty for others.
Parts CollectiveAlgorithms::irregular(const record::Record& record, Rank rank, Rank size) const {
    const auto root = static_cast<Rank>(record.root);
    const auto blocks = [&] {
        return std::vector<std::uint64_t>(record.blocks.begin(), record.blocks.end());
    };
    // SimGrid's non-blocking ones send to a rank, and receive from it, before the next.
    const bool takes_turns = library_ == simgrid && record.kind == record::Kind::start_collective;
    auto steps = std::make_unique<BlockSteps>(rank, size);
    switch (record.collective) {
        case Collective::alltoallv:
            steps->exchange(blocks());
            break;
        case Collective::allreduce:
        case Collective::reduce_scatter:
        case Collective::reduce_scatter_block:
            if (record.kind == record::Kind::collective) return {};
            [[fallthrough]];
        case Collective::allgather:
            if (library_ != simgrid || chosen_.contains(operation_of(record.collective))) return {};
            if (record.blocks.empty()) {
                steps->send_to_all(record.bytes, takes_turns);
            } else {
                steps->exchange(blocks());
            }
            break;
        case Collective::allgatherv:
            steps->send_to_all(record.bytes, takes_turns);
            break;
        case Collective::gatherv:
            steps->gather(root, record.bytes);
            break;
        case Collective::scatterv:
            steps->scatter(root, blocks());
            break;
        case Collective::scan:
        case Collective::exscan: {
            if (library_ != simgrid) {
                Parts chain;
                chain.push_back(std::make_unique<ChainSteps>(rank, size, record.bytes));
                return chain;
            }
            steps->send_upwards(record.bytes);
            break;
        }
        default:
            return {};
    }
    Parts parts;
    parts.push_back(std::move(steps));
    return parts;
}

const CollectiveAlgorithms::Collectives& CollectiveAlgorithms::regular(Collective collective,
                                                                       bool blocking, Rank size,
                                                                       std::uint64_t bytes) {
    auto& made = made_[{collective, blocking, size, bytes}];
    if (made.empty()) made = make(collective, blocking, size, bytes);
    return made;
}

CollectiveAlgorithms::Collectives CollectiveAlgorithms::make(Collective collective, bool blocking,
                                                             Rank size, std::uint64_t bytes) const {
    const std::string operation = operation_of(collective);
    const auto chosen = chosen_.find(operation);
    std::vector<simulate::CollectiveChoice> choices;
    if (chosen == chosen_.end() && library_ == simgrid) {
        choices = simgrid_defaults(collective, blocking, size, bytes);
    } else {
        simulate::CollectiveChoice choice;
        choice.operation = operation;
        choice.algorithm =
            chosen != chosen_.end() ? chosen->second : selected(library_, operation, size, bytes);
        choice.ranks = size;
        choice.size = bytes;
        choices.push_back(choice);
    }
    Collectives collectives;
    for (const auto& choice : choices)
        collectives.push_back({choice, simulate::make_collective(choice)});
    return collectives;
}

}  // namespace lapwing::replay

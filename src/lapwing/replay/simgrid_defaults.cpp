#include "lapwing/replay/simgrid_defaults.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "lapwing/predict/selection.hpp"

namespace lapwing::replay {
namespace {

using record::Collective;
using simulate::CollectiveChoice;
using simulate::Rank;

/// Of an all-to-all SimGrid follows Open MPI's rules, and has one linear algorithm.
std::string alltoall(Rank ranks, std::uint64_t bytes) {
    const std::string_view rule = selected("openmpi", "alltoall", ranks, bytes);
    return rule == "bruck" || rule == "pairwise" ? std::string(rule) : "linear";
}

}  // namespace

std::vector<CollectiveChoice> simgrid_defaults(Collective collective, bool blocking, Rank ranks,
                                               std::uint64_t bytes) {
    const auto choice = [&](const char* operation, std::string algorithm, std::uint64_t size) {
        CollectiveChoice made;
        made.operation = operation;
        made.algorithm = std::move(algorithm);
        made.ranks = ranks;
        made.size = size;
        return made;
    };
    switch (collective) {
        case Collective::barrier:
            return {choice("barrier", "linear", bytes)};
        case Collective::bcast:
            return {choice("bcast", blocking ? "binomial" : "linear", bytes)};
        case Collective::reduce:
        case Collective::gather:
            return {choice("gather", "linear", bytes)};
        case Collective::allreduce:
            return {choice("gather", "linear", bytes), choice("bcast", "binomial", bytes)};
        case Collective::scatter:
            return {choice("scatter", "linear", bytes)};
        case Collective::alltoall:
            return {choice("alltoall", blocking ? alltoall(ranks, bytes) : std::string("linear"),
                           bytes)};
        case Collective::reduce_scatter:
        case Collective::reduce_scatter_block:
            return {choice("gather", "linear", bytes * ranks), choice("scatter", "linear", bytes)};
        default:
            return {};
    }
}

}  // namespace lapwing::replay

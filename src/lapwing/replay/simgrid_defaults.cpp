#include "lapwing/replay/simgrid_defaults.hpp"

namespace lapwing::replay {
namespace {

using record::Collective;
using simulate::CollectiveChoice;
using simulate::Rank;

/// The rules of Open MPI 1.4, which SimGrid follows for an all-to-all.
const char* alltoall(Rank ranks, std::uint64_t bytes) {
    if (bytes < 200 && ranks > 12) return "bruck";
    return bytes < 3000 ? "linear" : "ring";
}

}  // namespace

std::vector<CollectiveChoice> simgrid_defaults(Collective collective, bool blocking, Rank ranks,
                                               std::uint64_t bytes) {
    const auto choice = [&](const char* operation, const char* algorithm, std::uint64_t size) {
        CollectiveChoice made;
        made.operation = operation;
        made.algorithm = algorithm;
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
            if (!blocking) return {choice("alltoall", "linear", bytes)};
            return {choice("gather", "linear", bytes), choice("bcast", "binomial", bytes)};
        case Collective::scatter:
            return {choice("scatter", "linear", bytes)};
        case Collective::allgather:
            return {choice("alltoall", "linear", bytes)};
        case Collective::alltoall:
            return {choice("alltoall", blocking ? alltoall(ranks, bytes) : "linear", bytes)};
        case Collective::reduce_scatter:
        case Collective::reduce_scatter_block:
            if (!blocking) return {choice("alltoall", "linear", bytes)};
            return {choice("gather", "linear", bytes * ranks), choice("scatter", "linear", bytes)};
        default:
            return {};
    }
}

}  // namespace lapwing::replay

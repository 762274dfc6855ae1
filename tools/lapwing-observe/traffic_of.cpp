#include "traffic_of.hpp"

#include <algorithm>

#include "mpi_weak.hpp"
#include "observed_call.hpp"

namespace lapwing::observe {
namespace {

using record::Collective;

/// The rank in MPI_COMM_WORLD of a rank of `comm`, where events are recorded; `nobody` elsewhere,
/// and of no certain rank.
int world_rank(int rank, MPI_Comm comm) {
    if (!records_events() || rank < 0) return Traffic::nobody;
    if (comm == MPI_COMM_WORLD) return rank;
    int world = Traffic::nobody;
    MPI_Group group{};
    MPI_Group all{};
    if (is_between(comm))
        PMPI_Comm_remote_group(comm, &group);
    else
        PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &all);
    PMPI_Group_translate_ranks(group, 1, &rank, all, &world);
    PMPI_Group_free(&group);
    PMPI_Group_free(&all);
    return world;
}

/// Whether a message goes nowhere, or to the rank that sends it.
bool stays(int peer, MPI_Comm comm) {
    if (peer == MPI_PROC_NULL) return true;
    return peer == rank_in(comm) && !is_between(comm);
}

Traffic messages_of(const CallDescription& call) {
    Traffic traffic;
    if (call.receives && !stays(call.from.peer, call.comm)) {
        traffic.element = call.from.element;
        traffic.received = traffic.size = call.from.bytes;
        traffic.from = {call.from.peer, call.from.tag, world_rank(call.from.peer, call.comm)};
    }
    if (call.sends && !stays(call.to.peer, call.comm)) {
        traffic.element = call.to.element;
        traffic.sent = traffic.size = call.to.bytes;
        traffic.to = {call.to.peer, call.to.tag, world_rank(call.to.peer, call.comm)};
    } else if (call.sends) {
        traffic.size = 0;
    }
    return traffic;
}

Operation operation_of(Collective collective) {
    switch (collective) {
        case Collective::barrier:
            return Operation::barrier;
        case Collective::bcast:
            return Operation::bcast;
        case Collective::reduce:
            return Operation::reduce;
        case Collective::allreduce:
            return Operation::allreduce;
        case Collective::scan:
        case Collective::exscan:
            return Operation::scan;
        case Collective::gather:
        case Collective::gatherv:
            return Operation::gather;
        case Collective::scatter:
        case Collective::scatterv:
            return Operation::scatter;
        case Collective::allgather:
        case Collective::allgatherv:
            return Operation::allgather;
        case Collective::alltoall:
        case Collective::alltoallv:
            return Operation::alltoall;
        case Collective::reduce_scatter:
        case Collective::reduce_scatter_block:
            return Operation::reduce_scatter;
        case Collective::create_communicator:
            break;  // is recorded, and not summed up
    }
    return Operation::messages;
}

/// Bytes of the blocks of all ranks but this one.
std::uint64_t sum_of_others(const BlockSizes& blocks, MPI_Comm comm, int ranks) {
    if (!blocks.differ()) return blocks[0] * static_cast<std::uint64_t>(std::max(ranks - 1, 0));
    const int self = rank_in(comm);
    std::uint64_t sum = 0;
    for (int r = 0; r < ranks; ++r)
        if (r != self) sum += blocks[r];
    return sum;
}

Traffic collective_of(const CallDescription& call) {
    Traffic traffic{.operation = operation_of(call.operation),
                    .element = call.element,
                    .ranks = size_of(call.comm),
                    .to = {.peer = call.root}};
    const bool at_root = call.root != Traffic::nobody && rank_in(call.comm) == call.root;
    // Blocks of different sizes count with their mean.
    const auto all_blocks = [&] {
        const std::uint64_t others = sum_of_others(call.blocks, call.comm, traffic.ranks);
        traffic.size = others / static_cast<std::uint64_t>(std::max(traffic.ranks - 1, 1));
        return others;
    };
    traffic.size = call.size;
    switch (traffic.operation) {
        case Operation::bcast:
            (at_root ? traffic.sent : traffic.received) = call.size;
            break;
        case Operation::reduce:
            (at_root ? traffic.received : traffic.sent) = call.size;
            break;
        case Operation::gather:
            if (at_root)
                traffic.received = all_blocks();
            else
                traffic.sent = call.size;
            break;
        case Operation::scatter:
            if (at_root)
                traffic.sent = all_blocks();
            else
                traffic.received = call.size;
            break;
        case Operation::allreduce:
        case Operation::scan:
            traffic.sent = traffic.received = call.size;
            break;
        case Operation::barrier:
            break;
        default:
            traffic.sent = traffic.received = all_blocks();
    }
    return traffic;
}

}  // namespace

Traffic traffic_of(const CallDescription& call) {
    return call.collective ? collective_of(call) : messages_of(call);
}

}  // namespace lapwing::observe

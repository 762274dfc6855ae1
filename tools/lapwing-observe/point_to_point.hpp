#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "arguments.hpp"
#include "elements.hpp"
#include "lapwing/observe/traffic.hpp"
#include "mpi_weak.hpp"
#include "observed_call.hpp"

// What routines that send and receive do: their traffic, from their arguments. A `traffic` has the
// parameters of its routine, however many these are.

namespace lapwing::observe {

using arguments::Datatypes;
using arguments::Ignored;

/// Bytes of `count` elements of a type.
inline std::uint64_t bytes(int count, MPI_Datatype type) {
    int size = 0;
    PMPI_Type_size(type, &size);
    return size > 0 && count > 0 ? static_cast<std::uint64_t>(count) * static_cast<unsigned>(size)
                                 : 0;
}
/// Ranks that one of `comm` communicates with: of an intercommunicator, those of the other group.
inline int size_of(MPI_Comm comm) {
    int between = 0;
    int size = 0;
    PMPI_Comm_test_inter(comm, &between);
    if (between)
        PMPI_Comm_remote_size(comm, &size);
    else
        PMPI_Comm_size(comm, &size);
    return size;
}
inline int rank_in(MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}
/// Bytes of a block for each of `ranks` but this one.
inline std::uint64_t for_others(std::uint64_t block, int ranks) {
    return block * static_cast<std::uint64_t>(ranks > 1 ? ranks - 1 : 0);
}
/// Bytes of the blocks of all ranks but this one.
template <class Type>
std::uint64_t sum_of_others(const int* counts, const Type& types, MPI_Comm comm) {
    const int ranks = size_of(comm);
    const int self = rank_in(comm);
    std::uint64_t sum = 0;
    for (int r = 0; r < ranks; ++r) {
        if (r == self) continue;
        const auto i = static_cast<std::size_t>(r);
        if constexpr (std::is_same_v<Type, Datatypes>)
            sum += bytes(counts[i], types[i]);
        else
            sum += bytes(counts[i], types);
    }
    return sum;
}
inline std::uint64_t sum_of_others(int count, MPI_Datatype type, MPI_Comm comm) {
    return for_others(bytes(count, type), size_of(comm));
}

/// Runs a routine that is complete when it returns.
struct Blocks {
    template <class Call, class Behaviour, class... Arguments>
    static int run(const char* routine, const void* address, const Call& call, Behaviour,
                   const Arguments&... arguments) {
        ObservedCall observed(routine, address);
        const int result = call();
        if (observed.on()) {
            observed.done();
            observed.record([&](Observer& observer, const TimedCall& timed) {
                observer.blocking(timed, Behaviour::traffic(arguments...));
            });
        }
        return result;
    }
};

/// The rank in MPI_COMM_WORLD of a rank of `comm`, where events are recorded; `nobody` elsewhere,
/// and of no certain rank.
inline int world_rank(int rank, MPI_Comm comm) {
    if (!records_events() || rank < 0) return Traffic::nobody;
    if (comm == MPI_COMM_WORLD) return rank;
    int between = 0;
    int world = Traffic::nobody;
    MPI_Group group{};
    MPI_Group all{};
    PMPI_Comm_test_inter(comm, &between);
    if (between)
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
inline bool stays(int peer, MPI_Comm comm) {
    if (peer == MPI_PROC_NULL) return true;
    if (peer != rank_in(comm)) return false;
    int between = 0;
    PMPI_Comm_test_inter(comm, &between);
    return !between;
}
struct Sends : Blocks {
    static Traffic traffic(const void*, int count, MPI_Datatype type, int peer, int tag,
                           MPI_Comm comm) {
        if (stays(peer, comm)) return {};
        const std::uint64_t size = bytes(count, type);
        return {.element = element_of(type),
                .sent = size,
                .size = size,
                .to = {peer, tag, world_rank(peer, comm)}};
    }
};
struct Receives : Blocks {
    static Traffic traffic(const void*, int count, MPI_Datatype type, int peer, int tag,
                           MPI_Comm comm, Ignored = {}) {
        if (stays(peer, comm)) return {};
        const std::uint64_t size = bytes(count, type);
        return {.element = element_of(type),
                .received = size,
                .size = size,
                .from = {peer, tag, world_rank(peer, comm)}};
    }
};
struct Swaps : Blocks {
    static Traffic traffic(const void* from, int count, MPI_Datatype type, int to, int tag,
                           const void* into, int room, MPI_Datatype their_type, int source,
                           int their_tag, MPI_Comm comm, Ignored) {
        Traffic both = Sends::traffic(from, count, type, to, tag, comm);
        const Traffic theirs = Receives::traffic(into, room, their_type, source, their_tag, comm);
        both.received = theirs.received;
        both.from = theirs.from;
        if (both.to.peer == Traffic::nobody) both.element = theirs.element;
        return both;
    }
};
struct Replaces : Blocks {
    static Traffic traffic(const void* buffer, int count, MPI_Datatype type, int to, int tag,
                           int source, int their_tag, MPI_Comm comm, Ignored) {
        return Swaps::traffic(buffer, count, type, to, tag, buffer, count, type, source, their_tag,
                              comm, {});
    }
};

}  // namespace lapwing::observe

#pragma once

#include "arguments.hpp"
#include "call_description.hpp"
#include "lapwing/record/record.hpp"
#include "mpi_weak.hpp"
#include "point_to_point.hpp"

// What collectives do, described from their arguments. A `describe` has the parameters of its
// routine.

namespace lapwing::observe {

using arguments::Input;
using record::Collective;

/// A collective in which the message is whole.
inline CallDescription whole(Collective operation, int count, MPI_Datatype type, MPI_Comm comm,
                             int root = Traffic::nobody) {
    return {.comm = comm,
            .collective = true,
            .operation = operation,
            .element = element_of(type),
            .root = root,
            .size = bytes(count, type)};
}
/// A collective without a root in which each rank has a block.
inline CallDescription in_blocks(Collective operation, const BlockSizes& blocks, Element element,
                                 MPI_Comm comm) {
    return {.comm = comm,
            .collective = true,
            .operation = operation,
            .element = element,
            .size = is_between(comm) ? 0 : blocks[rank_in(comm)],
            .blocks = blocks};
}

struct Barriers : Blocks {
    static CallDescription describe(MPI_Comm comm) { return {.comm = comm, .collective = true}; }
};
struct Bcasts : Blocks {
    static CallDescription describe(const void*, int count, MPI_Datatype type, int root,
                                    MPI_Comm comm) {
        return whole(Collective::bcast, count, type, comm, root);
    }
};
struct Reduces : Blocks {
    static CallDescription describe(const void*, const void*, int count, MPI_Datatype type, Ignored,
                                    int root, MPI_Comm comm) {
        return whole(Collective::reduce, count, type, comm, root);
    }
};
template <Collective operation>
struct Combines : Blocks {
    static CallDescription describe(const void*, const void*, int count, MPI_Datatype type, Ignored,
                                    MPI_Comm comm) {
        return whole(operation, count, type, comm);
    }
};
using Allreduces = Combines<Collective::allreduce>;
using Scans = Combines<Collective::scan>;
using ScansBefore = Combines<Collective::exscan>;

template <Collective operation>
struct CombinesBlocks : Blocks {
    template <class Counts>
    static CallDescription describe(const void*, const void*, Counts counts, MPI_Datatype type,
                                    Ignored, MPI_Comm comm) {
        return in_blocks(operation, {counts, type}, element_of(type), comm);
    }
};
using ReduceScatters = CombinesBlocks<Collective::reduce_scatter>;
using ReduceScattersEqually = CombinesBlocks<Collective::reduce_scatter_block>;

/// A collective with a root. `blocks(counts, type)` have a meaning there, `own` elsewhere; in an
/// intercommunicator, of a root that is no rank, neither.
template <class Counts>
CallDescription rooted(Collective operation, Counts counts, MPI_Datatype type, int own,
                       MPI_Datatype own_type, int root, MPI_Comm comm) {
    if (root < 0) return {.comm = comm, .collective = true, .operation = operation, .root = root};
    if (rank_in(comm) != root || is_between(comm))
        return whole(operation, own, own_type, comm, root);
    CallDescription call = in_blocks(operation, {counts, type}, element_of(type), comm);
    call.root = root;
    return call;
}
struct Gathers : Blocks {
    static CallDescription describe(const void*, int count, MPI_Datatype type, const void*,
                                    int their_count, MPI_Datatype their_type, int root,
                                    MPI_Comm comm) {
        return rooted(Collective::gather, their_count, their_type, count, type, root, comm);
    }
    static CallDescription describe(const void*, int count, MPI_Datatype type, const void*,
                                    const int* counts, const int*, MPI_Datatype their_type,
                                    int root, MPI_Comm comm) {
        return rooted(Collective::gatherv, counts, their_type, count, type, root, comm);
    }
};
struct Scatters : Blocks {
    static CallDescription describe(const void*, int count, MPI_Datatype type, const void*,
                                    int own_count, MPI_Datatype own_type, int root, MPI_Comm comm) {
        return rooted(Collective::scatter, count, type, own_count, own_type, root, comm);
    }
    static CallDescription describe(const void*, const int* counts, const int*, MPI_Datatype type,
                                    const void*, int own_count, MPI_Datatype own_type, int root,
                                    MPI_Comm comm) {
        return rooted(Collective::scatterv, counts, type, own_count, own_type, root, comm);
    }
};
// With MPI_IN_PLACE only the arguments about what arrives have a meaning.
struct Allgathers : Blocks {
    static CallDescription describe(const void*, int, MPI_Datatype, const void*, int count,
                                    MPI_Datatype type, MPI_Comm comm) {
        return in_blocks(Collective::allgather, {count, type}, element_of(type), comm);
    }
    static CallDescription describe(const void*, int, MPI_Datatype, const void*, const int* counts,
                                    const int*, MPI_Datatype type, MPI_Comm comm) {
        return in_blocks(Collective::allgatherv, {counts, type}, element_of(type), comm);
    }
};
struct Alltoalls : Blocks {
    static CallDescription describe(const void*, int, MPI_Datatype, const void*, int count,
                                    MPI_Datatype type, MPI_Comm comm) {
        return in_blocks(Collective::alltoall, {count, type}, element_of(type), comm);
    }
    template <class Type>
    static CallDescription describe(const Input& from, const int* counts, const int*,
                                    const Type& type, const void*, const int* their_counts,
                                    const int*, const Type& their_type, MPI_Comm comm) {
        const BlockSizes arriving(their_counts, their_type);
        CallDescription call =
            in_blocks(Collective::alltoallv, arriving, first_element(their_type), comm);
        call.given = from.in_place() ? arriving : BlockSizes(counts, type);
        return call;
    }

  private:
    static Element first_element(MPI_Datatype type) { return element_of(type); }
    static Element first_element(const Datatypes&) { return Element::unknown; }
};

}  // namespace lapwing::observe

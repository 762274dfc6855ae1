#pragma once

#include <cstdint>

#include "arguments.hpp"
#include "lapwing/observe/traffic.hpp"
#include "mpi_weak.hpp"
#include "point_to_point.hpp"

// What collectives do: their traffic, from their arguments. A `traffic` has the parameters of its
// routine.

namespace lapwing::observe {

struct Barriers : Blocks {
    static Traffic traffic(MPI_Comm comm) {
        return {.operation = Operation::barrier, .ranks = size_of(comm)};
    }
};
struct Bcasts : Blocks {
    static Traffic traffic(const void*, int count, MPI_Datatype type, int root, MPI_Comm comm) {
        const std::uint64_t size = bytes(count, type);
        const bool gives = rank_in(comm) == root;
        return {.operation = Operation::bcast,
                .element = element_of(type),
                .sent = gives ? size : 0,
                .received = gives ? 0 : size,
                .size = size,
                .ranks = size_of(comm),
                .to = {.peer = root}};
    }
};
struct Reduces : Blocks {
    static Traffic traffic(const void*, const void*, int count, MPI_Datatype type, Ignored,
                           int root, MPI_Comm comm) {
        const std::uint64_t size = bytes(count, type);
        const bool takes = rank_in(comm) == root;
        return {.operation = Operation::reduce,
                .element = element_of(type),
                .sent = takes ? 0 : size,
                .received = takes ? size : 0,
                .size = size,
                .ranks = size_of(comm),
                .to = {.peer = root}};
    }
};
template <Operation operation>
struct Combines : Blocks {
    static Traffic traffic(const void*, const void*, int count, MPI_Datatype type, Ignored,
                           MPI_Comm comm) {
        const std::uint64_t size = bytes(count, type);
        return {.operation = operation,
                .element = element_of(type),
                .sent = size,
                .received = size,
                .size = size,
                .ranks = size_of(comm)};
    }
};
using Allreduces = Combines<Operation::allreduce>;
using Scans = Combines<Operation::scan>;

/// The traffic of a collective in which ranks may have blocks of different sizes: `size` is the
/// mean.
inline Traffic blocks(Operation operation, Element element, std::uint64_t sent,
                      std::uint64_t received, int ranks, int root = Traffic::nobody) {
    const std::uint64_t all = sent > received ? sent : received;
    const auto others = static_cast<std::uint64_t>(ranks > 1 ? ranks - 1 : 1);
    return {.operation = operation,
            .element = element,
            .sent = sent,
            .received = received,
            .size = all / others,
            .ranks = ranks,
            .to = {.peer = root}};
}
struct ReduceScatters : Blocks {
    template <class Counts>
    static Traffic traffic(const void*, const void*, Counts counts, MPI_Datatype type, Ignored,
                           MPI_Comm comm) {
        const std::uint64_t others = sum_of_others(counts, type, comm);
        return blocks(Operation::reduce_scatter, element_of(type), others, others, size_of(comm));
    }
};
struct Gathers : Blocks {
    static Traffic traffic(const void*, int count, MPI_Datatype type, const void*, int their_count,
                           MPI_Datatype their_type, int root, MPI_Comm comm) {
        return of(count, type, their_count, their_type, root, comm);
    }
    static Traffic traffic(const void*, int count, MPI_Datatype type, const void*,
                           const int* counts, const int*, MPI_Datatype their_type, int root,
                           MPI_Comm comm) {
        return of(count, type, counts, their_type, root, comm);
    }

  private:
    template <class Counts>
    static Traffic of(int count, MPI_Datatype type, Counts counts, MPI_Datatype their_type,
                      int root, MPI_Comm comm) {
        if (rank_in(comm) == root)
            return blocks(Operation::gather, element_of(their_type), 0,
                          sum_of_others(counts, their_type, comm), size_of(comm), root);
        const std::uint64_t own = bytes(count, type);
        return {.operation = Operation::gather,
                .element = element_of(type),
                .sent = own,
                .size = own,
                .ranks = size_of(comm),
                .to = {.peer = root}};
    }
};
struct Scatters : Blocks {
    static Traffic traffic(const void*, int count, MPI_Datatype type, const void*, int own_count,
                           MPI_Datatype own_type, int root, MPI_Comm comm) {
        return of(count, type, own_count, own_type, root, comm);
    }
    static Traffic traffic(const void*, const int* counts, const int*, MPI_Datatype type,
                           const void*, int own_count, MPI_Datatype own_type, int root,
                           MPI_Comm comm) {
        return of(counts, type, own_count, own_type, root, comm);
    }

  private:
    template <class Counts>
    static Traffic of(Counts counts, MPI_Datatype type, int own_count, MPI_Datatype own_type,
                      int root, MPI_Comm comm) {
        if (rank_in(comm) == root)
            return blocks(Operation::scatter, element_of(type), sum_of_others(counts, type, comm),
                          0, size_of(comm), root);
        const std::uint64_t own = bytes(own_count, own_type);
        return {.operation = Operation::scatter,
                .element = element_of(own_type),
                .received = own,
                .size = own,
                .ranks = size_of(comm),
                .to = {.peer = root}};
    }
};
// With MPI_IN_PLACE only the arguments about what arrives have a meaning.
struct Allgathers : Blocks {
    static Traffic traffic(const void*, int, MPI_Datatype, const void*, int count,
                           MPI_Datatype type, MPI_Comm comm) {
        const std::uint64_t others = sum_of_others(count, type, comm);
        return blocks(Operation::allgather, element_of(type), others, others, size_of(comm));
    }
    static Traffic traffic(const void*, int, MPI_Datatype, const void*, const int* counts,
                           const int*, MPI_Datatype type, MPI_Comm comm) {
        const std::uint64_t others = sum_of_others(counts, type, comm);
        return blocks(Operation::allgather, element_of(type), others, others, size_of(comm));
    }
};
struct Alltoalls : Blocks {
    static Traffic traffic(const void*, int, MPI_Datatype, const void*, int count,
                           MPI_Datatype type, MPI_Comm comm) {
        const std::uint64_t others = sum_of_others(count, type, comm);
        return blocks(Operation::alltoall, element_of(type), others, others, size_of(comm));
    }
    template <class Type>
    static Traffic traffic(const void*, const int*, const int*, const Type&, const void*,
                           const int* counts, const int*, const Type& type, MPI_Comm comm) {
        const std::uint64_t others = sum_of_others(counts, type, comm);
        return blocks(Operation::alltoall, first_element(type), others, others, size_of(comm));
    }

  private:
    static Element first_element(MPI_Datatype type) { return element_of(type); }
    static Element first_element(const Datatypes&) { return Element::unknown; }
};

}  // namespace lapwing::observe

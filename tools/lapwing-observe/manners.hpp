#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "arguments.hpp"
#include "lapwing/observe/traffic.hpp"
#include "mpi_weak.hpp"
#include "observed_call.hpp"

// What routines do: of each the traffic, from its arguments, or what becomes of its requests.
namespace lapwing::observe {

using arguments::Datatypes;
using arguments::Handles;
using arguments::Ignored;

inline std::uint64_t bytes(int count, MPI_Datatype type) {
    int size = 0;
    PMPI_Type_size(type, &size);
    return size > 0 && count > 0 ? static_cast<std::uint64_t>(count) * static_cast<unsigned>(size)
                                 : 0;
}
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
inline std::uint64_t times(std::uint64_t block, int ranks) {
    return block * static_cast<std::uint64_t>(ranks > 1 ? ranks - 1 : 0);
}
/// Bytes for all ranks but this one.
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
    return times(bytes(count, type), size_of(comm));
}

/// Completes before it returns.
struct Blocks {
    template <class Call, class Manner, class... Arguments>
    static int run(const char* routine, const void* address, const Call& call, Manner,
                   const Arguments&... arguments) {
        ObservedCall observed(routine, address);
        const int result = call();
        if (observed.on()) {
            observed.done();
            observed.record([&](Observer& observer, const Seen& seen) {
                observer.blocking(seen, Manner::traffic(arguments...));
            });
        }
        return result;
    }
};

/// Whether a message goes nowhere, or to the rank that sends it.
inline bool stays(int peer, MPI_Comm comm) {
    if (peer == MPI_PROC_NULL) return true;
    if (peer != rank_in(comm)) return false;
    int between = 0;
    PMPI_Comm_test_inter(comm, &between);
    return !between;
}
struct Sends : Blocks {
    static Traffic traffic(const void*, int count, MPI_Datatype type, int peer, int,
                           MPI_Comm comm) {
        if (stays(peer, comm)) return {};
        const std::uint64_t size = bytes(count, type);
        return {.sent = size, .size = size, .peer = peer};
    }
};
struct Receives : Blocks {
    static Traffic traffic(const void*, int count, MPI_Datatype type, int peer, int, MPI_Comm comm,
                           Ignored = {}) {
        if (stays(peer, comm)) return {};
        const std::uint64_t size = bytes(count, type);
        return {.received = size, .size = size, .peer = peer};
    }
};
struct Swaps : Blocks {
    static Traffic traffic(const void* from, int count, MPI_Datatype type, int to, int tag,
                           const void* into, int room, MPI_Datatype their_type, int source,
                           int their_tag, MPI_Comm comm, Ignored) {
        Traffic both = Sends::traffic(from, count, type, to, tag, comm);
        both.received = Receives::traffic(into, room, their_type, source, their_tag, comm).received;
        if (to == MPI_PROC_NULL) both.peer = source;
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
                .sent = gives ? size : 0,
                .received = gives ? 0 : size,
                .size = size,
                .ranks = size_of(comm),
                .peer = root};
    }
};
struct Reduces : Blocks {
    static Traffic traffic(const void*, const void*, int count, MPI_Datatype type, Ignored,
                           int root, MPI_Comm comm) {
        const std::uint64_t size = bytes(count, type);
        const bool takes = rank_in(comm) == root;
        return {.operation = Operation::reduce,
                .sent = takes ? 0 : size,
                .received = takes ? size : 0,
                .size = size,
                .ranks = size_of(comm),
                .peer = root};
    }
};
template <Operation operation>
struct Combines : Blocks {
    static Traffic traffic(const void*, const void*, int count, MPI_Datatype type, Ignored,
                           MPI_Comm comm) {
        const std::uint64_t size = bytes(count, type);
        return {.operation = operation,
                .sent = size,
                .received = size,
                .size = size,
                .ranks = size_of(comm)};
    }
};
using Allreduces = Combines<Operation::allreduce>;
using Scans = Combines<Operation::scan>;

/// A block's size where ranks may have different ones: the mean.
inline Traffic blocks(Operation operation, std::uint64_t sent, std::uint64_t received, int ranks,
                      int root = Traffic::nobody) {
    const std::uint64_t all = sent > received ? sent : received;
    const auto others = static_cast<std::uint64_t>(ranks > 1 ? ranks - 1 : 1);
    return {.operation = operation,
            .sent = sent,
            .received = received,
            .size = all / others,
            .ranks = ranks,
            .peer = root};
}
struct ReduceScatters : Blocks {
    template <class Counts>
    static Traffic traffic(const void*, const void*, Counts counts, MPI_Datatype type, Ignored,
                           MPI_Comm comm) {
        const std::uint64_t others = sum_of_others(counts, type, comm);
        return blocks(Operation::reduce_scatter, others, others, size_of(comm));
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
            return blocks(Operation::gather, 0, sum_of_others(counts, their_type, comm),
                          size_of(comm), root);
        const std::uint64_t own = bytes(count, type);
        return {.operation = Operation::gather,
                .sent = own,
                .size = own,
                .ranks = size_of(comm),
                .peer = root};
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
            return blocks(Operation::scatter, sum_of_others(counts, type, comm), 0, size_of(comm),
                          root);
        const std::uint64_t own = bytes(own_count, own_type);
        return {.operation = Operation::scatter,
                .received = own,
                .size = own,
                .ranks = size_of(comm),
                .peer = root};
    }
};
// Where data may lie in place, only what arrives is said in any case.
struct Allgathers : Blocks {
    static Traffic traffic(const void*, int, MPI_Datatype, const void*, int count,
                           MPI_Datatype type, MPI_Comm comm) {
        const std::uint64_t others = sum_of_others(count, type, comm);
        return blocks(Operation::allgather, others, others, size_of(comm));
    }
    static Traffic traffic(const void*, int, MPI_Datatype, const void*, const int* counts,
                           const int*, MPI_Datatype type, MPI_Comm comm) {
        const std::uint64_t others = sum_of_others(counts, type, comm);
        return blocks(Operation::allgather, others, others, size_of(comm));
    }
};
struct Alltoalls : Blocks {
    static Traffic traffic(const void*, int, MPI_Datatype, const void*, int count,
                           MPI_Datatype type, MPI_Comm comm) {
        const std::uint64_t others = sum_of_others(count, type, comm);
        return blocks(Operation::alltoall, others, others, size_of(comm));
    }
    template <class Type>
    static Traffic traffic(const void*, const int*, const int*, const Type&, const void*,
                           const int* counts, const int*, const Type& type, MPI_Comm comm) {
        const std::uint64_t others = sum_of_others(counts, type, comm);
        return blocks(Operation::alltoall, others, others, size_of(comm));
    }
};

/// Makes a request, the last argument, of what `Kind` does at once.
template <class Kind, auto tell>
struct Makes {
    template <class Call, class Manner, class... Arguments>
    static int run(const char* routine, const void* address, const Call& call, Manner,
                   const Arguments&... arguments) {
        ObservedCall observed(routine, address);
        const int result = call();
        if (observed.on()) {
            observed.done();
            const auto all = std::tie(arguments...);
            constexpr std::size_t last = sizeof...(Arguments) - 1;
            const std::uint64_t handle = std::get<last>(all)[0];
            if (handle)
                observed.record([&](Observer& observer, const Seen& seen) {
                    tell(observer, seen, traffic(all, std::make_index_sequence<last>()), handle);
                });
        }
        return result;
    }

  private:
    template <class All, std::size_t... i>
    static Traffic traffic(const All& all, std::index_sequence<i...>) {
        return Kind::traffic(std::get<i>(all)...);
    }
};
/// Returns while what it does is under way.
template <class Kind>
struct Later
    : Makes<Kind, [](Observer& observer, const Seen& seen, const Traffic& traffic,
                     std::uint64_t handle) { observer.initiated(seen, traffic, handle); }> {};
/// For something that may be started many times.
template <class Kind>
struct Often : Makes<Kind, [](Observer& observer, const Seen&, const Traffic& traffic,
                              std::uint64_t handle) { observer.prepared(traffic, handle); }> {};

/// The handles of some requests, kept because a call that completes them forgets them.
class Kept {
  public:
    Kept(int count, const Handles& requests)
        : count_(std::min(count > 0 ? static_cast<std::size_t>(count) : 0, Requests::most)) {
        for (std::size_t i = 0; i < count_; ++i) handles_[i] = requests[i];
    }
    explicit Kept(const Handles& request) : Kept(1, request) {}
    [[nodiscard]] std::span<const std::uint64_t> all() const { return {handles_, count_}; }
    /// That with an index as MPI gives it; none for MPI_UNDEFINED.
    [[nodiscard]] std::span<const std::uint64_t> one(int index) const {
        if (index < 0 || static_cast<std::size_t>(index) >= count_) return {};
        return {handles_ + index, 1};
    }

  private:
    std::size_t count_;
    std::uint64_t handles_[Requests::most];  // NOLINT(modernize-avoid-c-arrays): not to be cleared
};

/// Looks at requests: `Manner::completed(kept, arguments...)` are those that are then complete.
struct Completes {
    template <class Call, class Manner, class... Arguments>
    static int run(const char* routine, const void* address, const Call& call, Manner,
                   const Arguments&... arguments) {
        ObservedCall observed(routine, address);
        if (!observed.on()) return call();
        const Kept kept = keep(arguments...);
        const int result = call();
        observed.done();
        observed.record([&](Observer& observer, const Seen& seen) {
            Manner::tell(observer, seen, kept, arguments...);
        });
        return result;
    }

  private:
    template <class... Rest>
    static Kept keep(int count, const Handles& requests, const Rest&...) {
        return {count, requests};
    }
    template <class... Rest>
    static Kept keep(const Handles& request, const Rest&...) {
        return Kept(request);
    }
};
struct Waits : Completes {
    template <class... Arguments>
    static void tell(Observer& observer, const Seen& seen, const Kept& kept, const Arguments&...) {
        observer.completed(seen, kept.all());
    }
};
struct Tests : Completes {
    static void tell(Observer& observer, const Seen& seen, const Kept& kept, const Handles&,
                     const int* flag, Ignored) {
        if (*flag) observer.completed(seen, kept.all());
    }
    static void tell(Observer& observer, const Seen& seen, const Kept& kept, int, const Handles&,
                     const int* flag, Ignored) {
        if (*flag) observer.completed(seen, kept.all());
    }
};
struct WaitsForOne : Completes {
    static void tell(Observer& observer, const Seen& seen, const Kept& kept, int,
                     const Handles& requests, const int* index, Ignored) {
        if (*index != MPI_UNDEFINED) observer.completed(seen, kept.one(*index - requests.base()));
    }
    static void tell(Observer& observer, const Seen& seen, const Kept& kept, int count,
                     const Handles& requests, const int* index, const int* flag, Ignored ignored) {
        if (*flag) tell(observer, seen, kept, count, requests, index, ignored);
    }
};
struct WaitsForSome : Completes {
    static void tell(Observer& observer, const Seen& seen, const Kept& kept, int,
                     const Handles& requests, const int* count, const int* indices, Ignored) {
        if (*count == MPI_UNDEFINED || *count <= 0) return;
        const Some some{kept, indices, static_cast<std::size_t>(*count), requests.base()};
        observer.completed(seen, some);
    }

  private:
    /// The handles that some indices stand for.
    struct Some {
        struct Iterator {
            const Some* some;
            std::size_t i;
            std::uint64_t operator*() const {
                const auto handle = some->kept.one(some->indices[i] - some->base);
                return handle.empty() ? 0 : handle.front();
            }
            Iterator& operator++() {
                ++i;
                return *this;
            }
            bool operator!=(const Iterator& other) const { return i != other.i; }
        };
        const Kept& kept;
        const int* indices;
        std::size_t count;
        int base;
        [[nodiscard]] Iterator begin() const { return {this, 0}; }
        [[nodiscard]] Iterator end() const { return {this, count}; }
    };
};
struct Frees : Completes {
    static void tell(Observer& observer, const Seen&, const Kept& kept, const Handles&) {
        observer.forgotten(kept.all().front());
    }
};
struct Starts : Waits {
    template <class... Arguments>
    static void tell(Observer& observer, const Seen& seen, const Kept& kept, const Arguments&...) {
        observer.started(seen, kept.all());
    }
};

}  // namespace lapwing::observe

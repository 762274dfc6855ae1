#pragma once

#include <mpi.h>
#include <shmem.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "lapwing/transport/mpi/mpi_error.hpp"
#include "lapwing/transport/operation.hpp"
#include "lapwing/transport/shmem/progress.hpp"
#include "lapwing/transport/shmem/symmetric_memory.hpp"

namespace lapwing::shmem {

/// Where the operations of a pair move bytes: from one half of symmetric memory to the other half
/// of the peer's.
class SymmetricBuffers {
  public:
    SymmetricBuffers(MPI_Comm pair, SymmetricMemory& memory) : memory_(memory) {
        check_mpi(MPI_Comm_rank(pair, &rank_), "MPI_Comm_rank");
        const int other = 1 - rank_;
        MPI_Group both = MPI_GROUP_NULL;
        MPI_Group all = MPI_GROUP_NULL;
        check_mpi(MPI_Comm_group(pair, &both), "MPI_Comm_group");
        check_mpi(MPI_Comm_group(MPI_COMM_WORLD, &all), "MPI_Comm_group");
        check_mpi(MPI_Group_translate_ranks(both, 1, &other, all, &peer_),
                  "MPI_Group_translate_ranks");
        MPI_Group_free(&both);
        MPI_Group_free(&all);
    }

    [[nodiscard]] int rank() const { return rank_; }  ///< in the pair
    [[nodiscard]] int peer() const { return peer_; }  ///< the other one's number among all PEs
    [[nodiscard]] std::byte* from(std::uint64_t index, std::uint64_t bytes) const {
        return memory_.data() + place_in(half(), index, bytes);
    }
    [[nodiscard]] std::byte* to(std::uint64_t index, std::uint64_t bytes) const {
        return from(index, bytes) + half();
    }

  private:
    [[nodiscard]] std::size_t half() const { return memory_.size() / 2; }

    SymmetricMemory& memory_;
    int rank_ = -1;
    int peer_ = -1;
};

/// A put or a get under way. OpenSHMEM tells of none alone when it is complete: `shmem_quiet`
/// completes all, so one is known to be complete when there has been one since.
class PendingOperation {
  public:
    /// How many were initiated, and how many of these are known to be complete.
    struct Count {
        std::uint64_t initiated = 0;
        std::uint64_t complete = 0;
        /// Returns when all are; costs nothing where that is known.
        void quiet() {
            if (complete < initiated) shmem_quiet();
            complete = initiated;
        }
    };

    PendingOperation() = default;
    explicit PendingOperation(Count& count) : count_(&count), number_(++count.initiated) {}

    bool test() {
        if (complete()) return true;
        progress();
        return false;
    }
    void wait() {
        if (!complete()) count_->quiet();
    }

  private:
    [[nodiscard]] bool complete() const { return count_ == nullptr || number_ <= count_->complete; }

    Count* count_ = nullptr;
    std::uint64_t number_ = 0;
};

/// What puts and gets have in common. Rank 1 does nothing; while it waits for rank 0 in MPI, it
/// lets both MPI and OpenSHMEM progress.
class OneSided {
  public:
    static constexpr const char* transport = "shmem";

    /// `source`: the rank of the pair that the bytes leave from.
    OneSided(const SymmetricBuffers& place, int source) : place_(place), source_(source) {}

    void prepare(std::uint64_t, std::uint64_t) {}
    void attend(std::uint64_t, std::uint64_t) {}

    std::span<std::byte> outgoing(std::uint64_t index, std::uint64_t bytes) {
        return {place_.from(index, bytes), place_.rank() == source_ ? bytes : 0};
    }
    std::span<std::byte> incoming(std::uint64_t index, std::uint64_t bytes) {
        return {place_.to(index, bytes), place_.rank() == source_ ? 0 : bytes};
    }

  protected:
    [[nodiscard]] const SymmetricBuffers& place() const { return place_; }

  private:
    SymmetricBuffers place_;
    int source_;
};

/// `shmem_putmem`: returns when its source may be used again; at the peer when quiet returns.
class Put : public OneSided {
  public:
    static constexpr const char* name = "put";
    using Request = CompleteRequest;
    explicit Put(const SymmetricBuffers& place) : OneSided(place, 0) {}

    Request start(std::uint64_t index, std::uint64_t bytes) {
        shmem_putmem(place().to(index, bytes), place().from(index, bytes), bytes, place().peer());
        return {};
    }
    static void finish() { shmem_quiet(); }
};

/// `shmem_getmem`: returns with the data.
class Get : public OneSided {
  public:
    static constexpr const char* name = "get";
    using Request = CompleteRequest;
    explicit Get(const SymmetricBuffers& place) : OneSided(place, 1) {}

    Request start(std::uint64_t index, std::uint64_t bytes) {
        shmem_getmem(place().to(index, bytes), place().from(index, bytes), bytes, place().peer());
        return {};
    }
    static void finish() {}
};

/// `shmem_putmem_nbi`: at the peer when quiet returns.
class PutNbi : public OneSided {
  public:
    static constexpr const char* name = "put_nbi";
    using Request = PendingOperation;
    explicit PutNbi(const SymmetricBuffers& place) : OneSided(place, 0) {}

    Request start(std::uint64_t index, std::uint64_t bytes) {
        shmem_putmem_nbi(place().to(index, bytes), place().from(index, bytes), bytes,
                         place().peer());
        return Request(count_);
    }
    void finish() { count_.quiet(); }

  private:
    PendingOperation::Count count_;
};

/// `shmem_getmem_nbi`: here when quiet returns.
class GetNbi : public OneSided {
  public:
    static constexpr const char* name = "get_nbi";
    using Request = PendingOperation;
    explicit GetNbi(const SymmetricBuffers& place) : OneSided(place, 1) {}

    Request start(std::uint64_t index, std::uint64_t bytes) {
        shmem_getmem_nbi(place().to(index, bytes), place().from(index, bytes), bytes,
                         place().peer());
        return Request(count_);
    }
    void finish() { count_.quiet(); }

  private:
    PendingOperation::Count count_;
};

static_assert(InspectableOperation<Put> && InspectableOperation<Get> &&
              InspectableOperation<PutNbi> && InspectableOperation<GetNbi>);

/// Calls `visit(operation)` for each way OpenSHMEM has to move bytes, in the same order on both
/// ranks of `pair`. An operation may move up to half the bytes of `memory`. Not the capacity alone,
/// as for other transports: symmetric memory is made by all PEs, the pair's or not.
template <class Visit>
void operations(MPI_Comm pair, SymmetricMemory& memory, Visit&& visit) {
    const SymmetricBuffers place(pair, memory);
    Put put(place);
    visit(put);
    Get get(place);
    visit(get);
    PutNbi put_nbi(place);
    visit(put_nbi);
    GetNbi get_nbi(place);
    visit(get_nbi);
}

}  // namespace lapwing::shmem

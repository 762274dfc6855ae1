#pragma once

#include <mpi.h>
#include <shmem.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "lapwing/transport/mpi/mpi_error.hpp"
#include "lapwing/transport/operation.hpp"
#include "lapwing/transport/shmem/pes.hpp"
#include "lapwing/transport/shmem/progress.hpp"
#include "lapwing/transport/shmem/symmetric_memory.hpp"

namespace lapwing::shmem {

/// The buffers of the operations of a pair: bytes move from the first half of one rank's symmetric
/// memory to the second half of the other's.
class SymmetricBuffers {
  public:
    SymmetricBuffers(MPI_Comm pair, SymmetricMemory& memory) : memory_(memory) {
        check_mpi(MPI_Comm_rank(pair, &rank_), "MPI_Comm_rank");
        peer_ = pes_of(pair).at(static_cast<std::size_t>(1 - rank_));
    }

    [[nodiscard]] int rank() const { return rank_; }  ///< in the pair
    [[nodiscard]] int peer() const { return peer_; }  ///< the other rank's PE
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

/// A non-blocking put or get. OpenSHMEM cannot say whether a single one is complete. `shmem_quiet`
/// completes all of them. So an operation is complete if somebody has called that since.
class PendingOperation {
  public:
    /// How many have been initiated, and how many of these are known to be complete.
    struct Count {
        std::uint64_t initiated = 0;
        std::uint64_t complete = 0;
        /// Returns when all are complete; costs nothing where that is known.
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

/// The common part of puts and gets. Rank 1 does nothing: while it waits for rank 0 in MPI, both
/// MPI and OpenSHMEM progress.
class OneSided {
  public:
    static constexpr const char* transport = "shmem";

    /// `source`: the rank of the pair that the bytes leave.
    OneSided(const SymmetricBuffers& buffers, int source) : buffers_(buffers), source_(source) {}

    void prepare(std::uint64_t, std::uint64_t) {}
    void attend(std::uint64_t, std::uint64_t) {}

    std::span<std::byte> outgoing(std::uint64_t index, std::uint64_t bytes) {
        return {buffers_.from(index, bytes), buffers_.rank() == source_ ? bytes : 0};
    }
    std::span<std::byte> incoming(std::uint64_t index, std::uint64_t bytes) {
        return {buffers_.to(index, bytes), buffers_.rank() == source_ ? 0 : bytes};
    }

  protected:
    [[nodiscard]] const SymmetricBuffers& buffers() const { return buffers_; }

  private:
    SymmetricBuffers buffers_;
    int source_;
};

/// `shmem_putmem`: returns when its source is free again; complete at the peer when quiet returns.
class Put : public OneSided {
  public:
    static constexpr const char* name = "put";
    using Request = CompleteRequest;
    explicit Put(const SymmetricBuffers& buffers) : OneSided(buffers, 0) {}

    Request start(std::uint64_t index, std::uint64_t bytes) {
        shmem_putmem(buffers().to(index, bytes), buffers().from(index, bytes), bytes,
                     buffers().peer());
        return {};
    }
    static void finish() { shmem_quiet(); }
};

/// `shmem_getmem`: returns when the data is here.
class Get : public OneSided {
  public:
    static constexpr const char* name = "get";
    using Request = CompleteRequest;
    explicit Get(const SymmetricBuffers& buffers) : OneSided(buffers, 1) {}

    Request start(std::uint64_t index, std::uint64_t bytes) {
        shmem_getmem(buffers().to(index, bytes), buffers().from(index, bytes), bytes,
                     buffers().peer());
        return {};
    }
    static void finish() {}
};

/// `shmem_putmem_nbi`: complete at the peer when quiet returns.
class PutNbi : public OneSided {
  public:
    static constexpr const char* name = "put_nbi";
    using Request = PendingOperation;
    explicit PutNbi(const SymmetricBuffers& buffers) : OneSided(buffers, 0) {}

    Request start(std::uint64_t index, std::uint64_t bytes) {
        shmem_putmem_nbi(buffers().to(index, bytes), buffers().from(index, bytes), bytes,
                         buffers().peer());
        return Request(count_);
    }
    void finish() { count_.quiet(); }

  private:
    PendingOperation::Count count_;
};

/// `shmem_getmem_nbi`: complete when quiet returns.
class GetNbi : public OneSided {
  public:
    static constexpr const char* name = "get_nbi";
    using Request = PendingOperation;
    explicit GetNbi(const SymmetricBuffers& buffers) : OneSided(buffers, 1) {}

    Request start(std::uint64_t index, std::uint64_t bytes) {
        shmem_getmem_nbi(buffers().to(index, bytes), buffers().from(index, bytes), bytes,
                         buffers().peer());
        return Request(count_);
    }
    void finish() { count_.quiet(); }

  private:
    PendingOperation::Count count_;
};

static_assert(InspectableOperation<Put> && InspectableOperation<Get> &&
              InspectableOperation<PutNbi> && InspectableOperation<GetNbi>);

/// Calls `visit(operation)` for each operation of OpenSHMEM, in the same order on both ranks of
/// `pair`. An operation may move up to half the bytes of `memory`. Other transports take a capacity
/// and make their memory themselves. But all PEs make symmetric memory together, not a pair of
/// them.
template <class Visit>
void operations(MPI_Comm pair, SymmetricMemory& memory, Visit&& visit) {
    const SymmetricBuffers buffers(pair, memory);
    Put put(buffers);
    visit(put);
    Get get(buffers);
    visit(get);
    PutNbi put_nbi(buffers);
    visit(put_nbi);
    GetNbi get_nbi(buffers);
    visit(get_nbi);
}

}  // namespace lapwing::shmem

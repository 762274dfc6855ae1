#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "lapwing/transport/mpi/request.hpp"
#include "lapwing/transport/operation.hpp"
#include "lapwing/transport/rma/rma.hpp"

namespace lapwing::rma {

/// The memory of the one-sided operations of two ranks: rank 0 moves bytes between its buffer and
/// the window of rank 1, which does nothing.
struct Memory {
    Rma rma;
    OperationBuffer buffer;

    Memory(MPI_Comm pair, std::size_t capacity) : rma(pair, capacity), buffer(capacity) {
        std::fill_n(rma.data(), capacity, std::byte{1});
    }
    [[nodiscard]] std::size_t offset(std::uint64_t index, std::uint64_t bytes) const {
        return place_in(rma.size(), index, bytes);
    }
    /// The bytes of operation `index` in rank 0's buffer; empty at rank 1.
    [[nodiscard]] std::span<std::byte> local(std::uint64_t index, std::uint64_t bytes) {
        return buffer.part(rma.rank() == 0, index, bytes);
    }
    /// The bytes of operation `index` in rank 1's window; empty at rank 0.
    [[nodiscard]] std::span<std::byte> remote(std::uint64_t index, std::uint64_t bytes) {
        rma.sync();
        return {rma.data() + offset(index, bytes), rma.rank() == 1 ? bytes : 0};
    }
};

/// The common part of the one-sided operations.
class OneSided {
  public:
    static constexpr const char* transport = "rma";

    explicit OneSided(Memory& memory) : memory_(memory) {}

    void prepare(std::uint64_t, std::uint64_t) {}
    void attend(std::uint64_t, std::uint64_t) {}

  protected:
    static constexpr int target = 1;

    [[nodiscard]] Memory& memory() { return memory_; }

  private:
    Memory& memory_;
};

/// `MPI_Put`, complete at the target after a flush.
class Put : public OneSided {
  public:
    static constexpr const char* name = "put";
    using Request = Rma::Flushed;
    using OneSided::OneSided;

    Request start(std::uint64_t index, std::uint64_t bytes) {
        return memory().rma.put(memory().buffer.place(index, bytes), bytes, target,
                                memory().offset(index, bytes));
    }
    void finish() { memory().rma.flush(target); }
    std::span<std::byte> outgoing(std::uint64_t index, std::uint64_t bytes) {
        return memory().local(index, bytes);
    }
    std::span<std::byte> incoming(std::uint64_t index, std::uint64_t bytes) {
        return memory().remote(index, bytes);
    }
};

/// `MPI_Rput`: its request is complete when the data has left, a flush completes it at the target.
class RequestPut : public Put {
  public:
    static constexpr const char* name = "rput";
    using Request = MpiRequest;
    using Put::Put;

    Request start(std::uint64_t index, std::uint64_t bytes) {
        return memory().rma.rput(memory().buffer.place(index, bytes), bytes, target,
                                 memory().offset(index, bytes));
    }
};

/// A put that tells its target, which waits for that: its request is complete when the data is
/// there. Where interfaces can do so (`notified_access`).
class NotifiedPut : public Put {
  public:
    static constexpr const char* name = "put_notified";
    using Request = MpiRequest;
    using Put::Put;

    Request start(std::uint64_t index, std::uint64_t bytes) {
        return memory().rma.put_notified(memory().buffer.place(index, bytes), bytes, target,
                                         memory().offset(index, bytes), tag);
    }
    static void finish() {}
    void attend(std::uint64_t count, std::uint64_t) {
        for (; count > 0; --count) memory().rma.notice(origin, tag).wait();
    }

  private:
    static constexpr int origin = 0;
    static constexpr int tag = 0;
};

/// `MPI_Get`, complete after a flush. It takes a round trip.
class Get : public OneSided {
  public:
    static constexpr const char* name = "get";
    using Request = Rma::Flushed;
    using OneSided::OneSided;

    Request start(std::uint64_t index, std::uint64_t bytes) {
        return memory().rma.get(memory().buffer.place(index, bytes), bytes, target,
                                memory().offset(index, bytes));
    }
    static void finish() {}  // the data is here when the requests are complete
    std::span<std::byte> outgoing(std::uint64_t index, std::uint64_t bytes) {
        return memory().remote(index, bytes);
    }
    std::span<std::byte> incoming(std::uint64_t index, std::uint64_t bytes) {
        return memory().local(index, bytes);
    }
};

/// `MPI_Rget`, complete with its request.
class RequestGet : public Get {
  public:
    static constexpr const char* name = "rget";
    using Request = MpiRequest;
    using Get::Get;

    Request start(std::uint64_t index, std::uint64_t bytes) {
        return memory().rma.rget(memory().buffer.place(index, bytes), bytes, target,
                                 memory().offset(index, bytes));
    }
};

static_assert(InspectableOperation<Put> && InspectableOperation<RequestPut>);
static_assert(InspectableOperation<NotifiedPut>);
static_assert(InspectableOperation<Get> && InspectableOperation<RequestGet>);

/// Calls `visit(operation)` for each operation of this transport, in the same order on both ranks
/// of `pair`. `capacity`: the most bytes that an operation may move.
template <class Visit>
void operations(MPI_Comm pair, std::size_t capacity, Visit&& visit) {
    Memory memory(pair, capacity);
    Put put(memory);
    visit(put);
    Get get(memory);
    visit(get);
    RequestPut rput(memory);
    visit(rput);
    RequestGet rget(memory);
    visit(rget);
    if (!notified_access::exists()) return;
    NotifiedPut notified(memory);
    visit(notified);
}

}  // namespace lapwing::rma

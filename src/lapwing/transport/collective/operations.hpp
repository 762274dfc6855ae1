#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lapwing/transport/collective/collective.hpp"
#include "lapwing/transport/message_operation.hpp"
#include "lapwing/transport/operation.hpp"

namespace lapwing::collective {

/// A message by `MPI_Ibcast` among the two ranks, as `Collective::send` is.
class Broadcast : public MessageOperation<Collective> {
  public:
    static constexpr const char* name = "ibcast";
    static constexpr const char* transport = "collective";

    using MessageOperation::MessageOperation;
};

/// `MPI_Ialltoall` between the two ranks: each sends the bytes of an operation to the other and to
/// itself. Rank 1 initiates its side in `attend`.
class AllToAll {
  public:
    static constexpr const char* name = "ialltoall";
    static constexpr const char* transport = "collective";
    using Request = Collective::Request;

    /// `pair`: two ranks, both of which initiate. `capacity`: bytes for each of them.
    AllToAll(MPI_Comm pair, std::size_t capacity)
        : transport_(pair),
          peer_(1 - transport_.rank()),
          from_(2 * capacity),
          into_(2 * capacity) {}

    void prepare(std::uint64_t, std::uint64_t) {
        if (transport_.rank() == 0) answer_ = transport_.receive(&note_, 1, peer_, 0);
    }
    Request start(std::uint64_t index, std::uint64_t bytes) {
        return transport_.alltoall(from_.place(index, 2 * bytes), into_.place(index, 2 * bytes),
                                   bytes);
    }
    void finish() { answer_.wait(); }
    void attend(std::uint64_t count, std::uint64_t bytes) {
        std::vector<Request> requests;
        requests.reserve(count);
        for (std::uint64_t i = 0; i < count; ++i) requests.push_back(start(i, bytes));
        for (auto& request : requests) request.wait();
        transport_.send(&note_, 1, peer_, 0).wait();
    }

    std::span<std::byte> outgoing(std::uint64_t index, std::uint64_t bytes) {
        return from_.part(true, index, 2 * bytes).subspan(block() * bytes, bytes);
    }
    std::span<std::byte> incoming(std::uint64_t index, std::uint64_t bytes) {
        return into_.part(true, index, 2 * bytes).subspan(block() * bytes, bytes);
    }

  private:
    /// Index of the block that belongs to the other rank.
    [[nodiscard]] std::size_t block() const { return static_cast<std::size_t>(peer_); }

    Collective transport_;
    int peer_;
    OperationBuffer from_;
    OperationBuffer into_;
    std::byte
        note_{};  ///< the answer's one byte: a collective of none is complete without a message
    Request answer_;
};

static_assert(InspectableOperation<Broadcast> && InspectableOperation<AllToAll>);

/// Calls `visit(operation)` for each operation of this transport, in the same order on both ranks
/// of `pair`. `capacity`: the most bytes that an operation may move.
template <class Visit>
void operations(MPI_Comm pair, std::size_t capacity, Visit&& visit) {
    AllToAll alltoall(pair, capacity);
    visit(alltoall);
    Broadcast broadcast(pair, capacity);
    visit(broadcast);
}

}  // namespace lapwing::collective

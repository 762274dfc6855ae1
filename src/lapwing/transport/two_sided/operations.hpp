#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "lapwing/transport/message_operation.hpp"
#include "lapwing/transport/mpi/byte_type.hpp"
#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/operation.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

namespace lapwing::two_sided {

/// A message by `MPI_Isend`, whose `MPI_Irecv` has been posted.
class NonBlockingSend : public MessageOperation<TwoSided> {
  public:
    static constexpr const char* name = "isend";
    static constexpr const char* transport = "two-sided";

    using MessageOperation::MessageOperation;
};

/// A message by `MPI_Send` to an `MPI_Recv` that is called only when the message before has been
/// received. All have one tag, as blocking calls match in their order.
class BlockingSend {
  public:
    static constexpr const char* name = "send";
    static constexpr const char* transport = "two-sided";
    using Request = CompleteRequest;

    /// `pair`: two ranks, of which rank 0 initiates. `capacity`: bytes of the buffer.
    BlockingSend(MPI_Comm pair, std::size_t capacity)
        : communicator_(pair), peer_(1 - communicator_.rank()), buffer_(capacity) {}

    void prepare(std::uint64_t, std::uint64_t) {}
    Request start(std::uint64_t index, std::uint64_t bytes) {
        const ByteType data(bytes);
        check_mpi(MPI_Send(buffer_.place(index, bytes), data.count(), data.type(), peer_, 0,
                           communicator_.get()),
                  "MPI_Send", peer_);
        return {};
    }
    void finish() { receive(nullptr, 0); }
    void attend(std::uint64_t count, std::uint64_t bytes) {
        for (std::uint64_t i = 0; i < count; ++i) receive(buffer_.place(i, bytes), bytes);
        check_mpi(MPI_Send(nullptr, 0, MPI_BYTE, peer_, 0, communicator_.get()), "MPI_Send", peer_);
    }

    std::span<std::byte> outgoing(std::uint64_t index, std::uint64_t bytes) {
        return buffer_.part(communicator_.rank() == 0, index, bytes);
    }
    std::span<std::byte> incoming(std::uint64_t index, std::uint64_t bytes) {
        return buffer_.part(communicator_.rank() == 1, index, bytes);
    }

  private:
    void receive(void* into, std::uint64_t bytes) {
        const ByteType data(bytes);
        check_mpi(MPI_Recv(into, data.count(), data.type(), peer_, 0, communicator_.get(),
                           MPI_STATUS_IGNORE),
                  "MPI_Recv", peer_);
    }

    Communicator communicator_;
    int peer_;
    OperationBuffer buffer_;
};

static_assert(InspectableOperation<NonBlockingSend> && InspectableOperation<BlockingSend>);

/// Calls `visit(operation)` for each operation of this transport, in the same order on both ranks
/// of `pair`. `capacity`: the most bytes that an operation may move.
template <class Visit>
void operations(MPI_Comm pair, std::size_t capacity, Visit&& visit) {
    NonBlockingSend isend(pair, capacity);
    visit(isend);
    BlockingSend send(pair, capacity);
    visit(send);
}

}  // namespace lapwing::two_sided

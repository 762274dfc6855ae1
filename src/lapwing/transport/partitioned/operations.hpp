#pragma once

#include <mpi.h>

#include <cstddef>

#include "lapwing/transport/partitioned/available.hpp"

#ifdef LAPWING_HAS_PARTITIONED
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/operation.hpp"
#include "lapwing/transport/partitioned/partitioned_message.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

namespace lapwing::partitioned {

/// A partition by `MPI_Pready`, of a message that both ranks have started: one for all operations,
/// or for as many as the buffer has places for.
class Pready {
  public:
    static constexpr const char* name = "pready";
    static constexpr const char* transport = "partitioned";

    /// Complete when the initiation returns: MPI tells of whole messages alone.
    class Request {
      public:
        Request() = default;
        explicit Request(PartitionedMessage& message) : message_(&message) {}
        bool test() const { return message_ == nullptr || message_->test(); }
        static void wait() {}

      private:
        PartitionedMessage* message_ = nullptr;
    };

    /// `pair`: two ranks, of which rank 0 initiates. `capacity`: bytes of the buffer.
    Pready(MPI_Comm pair, std::size_t capacity)
        : communicator_(pair),
          answers_(pair),
          peer_(1 - communicator_.rank()),
          buffer_(capacity),
          capacity_(capacity) {}

    void prepare(std::uint64_t count, std::uint64_t bytes) {
        places_ = std::max<std::uint64_t>(1, capacity_ / std::max<std::uint64_t>(1, bytes));
        messages_.clear();
        messages_.reserve(count / places_ + 1);
        const PartitionedMessage::Ends ends{communicator_.get(), peer_, 0};
        std::byte* const place = buffer_.place(0, bytes);
        for (std::uint64_t left = count; left > 0;) {
            const auto partitions = static_cast<int>(std::min(left, places_));
            messages_.push_back(communicator_.rank() == 0
                                    ? PartitionedMessage::sent(place, partitions, bytes, ends)
                                    : PartitionedMessage::received(place, partitions, bytes, ends));
            left -= static_cast<std::uint64_t>(partitions);
        }
        if (communicator_.rank() == 0) answer_ = answers_.receive(nullptr, 0, peer_, 0);
    }
    Request start(std::uint64_t index, std::uint64_t) {
        PartitionedMessage& message = messages_[index / places_];
        message.ready(static_cast<int>(index % places_));
        return Request(message);
    }
    void finish() { answer_.wait(); }
    void attend(std::uint64_t, std::uint64_t) {
        for (PartitionedMessage& message : messages_) message.wait();
        answers_.send(nullptr, 0, peer_, 0).wait();
    }

    std::span<std::byte> outgoing(std::uint64_t index, std::uint64_t bytes) {
        return buffer_.part(communicator_.rank() == 0, index, bytes);
    }
    std::span<std::byte> incoming(std::uint64_t index, std::uint64_t bytes) {
        return buffer_.part(communicator_.rank() == 1, index, bytes);
    }

  private:
    Communicator communicator_;
    TwoSided answers_;
    int peer_;
    OperationBuffer buffer_;
    std::size_t capacity_;
    std::uint64_t places_ = 1;  ///< partitions of a message
    std::vector<PartitionedMessage> messages_;
    TwoSided::Request answer_;
};

static_assert(InspectableOperation<Pready>);

}  // namespace lapwing::partitioned
#endif

namespace lapwing::partitioned {

/// Calls `visit(operation)` for the operation of this transport, on both ranks of `pair`, where MPI
/// has it. `capacity`: the most bytes that an operation may move.
template <class Visit>
void operations([[maybe_unused]] MPI_Comm pair, [[maybe_unused]] std::size_t capacity,
                [[maybe_unused]] Visit&& visit) {
#ifdef LAPWING_HAS_PARTITIONED
    if (!has_partitioned()) return;
    Pready pready(pair, capacity);
    visit(pready);
#endif
}

}  // namespace lapwing::partitioned

#pragma once

#include <mpi.h>

#include <cstddef>

#include "lapwing/transport/partitioned/available.hpp"

#ifdef LAPWING_HAS_PARTITIONED
#include <algorithm>
#include <cstdint>
#include <deque>
#include <span>

#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/operation.hpp"
#include "lapwing/transport/partitioned/partitioned_message.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

namespace lapwing::partitioned {

/// A partition by `MPI_Pready`. Two share a partitioned message, as those of a stream with four in
/// flight do: the first of them sets it up.
class Pready {
  public:
    static constexpr const char* name = "pready";
    static constexpr const char* transport = "partitioned";

    /// Complete by its `wait`, which returns at once: MPI tells of whole messages alone.
    class Request {
      public:
        Request() = default;
        explicit Request(PartitionedMessage& message) : message_(&message) {}
        bool test() const { return message_ == nullptr || message_->test(); }
        void wait() { message_ = nullptr; }

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
        count_ = count;
        messages_.clear();
        if (communicator_.rank() == 0) {
            answer_ = answers_.receive(nullptr, 0, peer_, 0);
            return;
        }
        for (std::uint64_t first = 0; first < count;) {
            const int partitions = partitions_from(first, bytes);
            messages_.push_back(PartitionedMessage::received(buffer_.place(first, bytes),
                                                             partitions, bytes, ends()));
            first += static_cast<std::uint64_t>(partitions);
        }
    }
    Request start(std::uint64_t index, std::uint64_t bytes) {
        const int which = static_cast<int>(index % places(bytes) % together);
        if (which == 0)
            messages_.push_back(PartitionedMessage::sent(
                buffer_.place(index, bytes), partitions_from(index, bytes), bytes, ends()));
        messages_.back().ready(which);
        return Request(messages_.back());
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
    static constexpr std::uint64_t together = 2;  ///< partitions of a message

    [[nodiscard]] PartitionedMessage::Ends ends() const { return {communicator_.get(), peer_, 0}; }
    /// Of operations in the buffer.
    [[nodiscard]] std::uint64_t places(std::uint64_t bytes) const {
        return std::max<std::uint64_t>(1, capacity_ / std::max<std::uint64_t>(1, bytes));
    }
    /// Of the message whose first partition is operation `first`: one where no second lies behind.
    [[nodiscard]] int partitions_from(std::uint64_t first, std::uint64_t bytes) const {
        const std::uint64_t behind = places(bytes) - first % places(bytes);
        return static_cast<int>(std::min({together, behind, count_ - first}));
    }

    Communicator communicator_;
    TwoSided answers_;
    int peer_;
    OperationBuffer buffer_;
    std::size_t capacity_;
    std::uint64_t count_ = 0;
    std::deque<PartitionedMessage> messages_;
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

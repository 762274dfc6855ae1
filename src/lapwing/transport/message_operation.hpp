#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lapwing/transport/operation.hpp"
#include "lapwing/transport/tag.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// An operation made of a transport's messages: rank 1 posts its receives in `prepare`, rank 0
/// sends, and a short answer tells it when all have arrived. Derived classes add the two names.
template <Transport T>
class MessageOperation {
  public:
    using Request = typename T::Request;

    /// `pair`: two ranks, of which rank 0 initiates. `capacity`: bytes of the buffer.
    MessageOperation(MPI_Comm pair, std::size_t capacity)
        : transport_(pair), peer_(1 - transport_.rank()), buffer_(capacity) {}

    void prepare(std::uint64_t count, std::uint64_t bytes) {
        if (transport_.rank() == 0) {
            answer_ = transport_.receive(&note_, answer_bytes, peer_, answer_tag);
            return;
        }
        incoming_.reserve(count);
        for (std::uint64_t i = 0; i < count; ++i)
            incoming_.push_back(
                transport_.receive(buffer_.place(i, bytes), bytes, peer_, message_tag(i)));
    }
    Request start(std::uint64_t index, std::uint64_t bytes) {
        return transport_.send(buffer_.place(index, bytes), bytes, peer_, message_tag(index));
    }
    void finish() { answer_.wait(); }
    void attend(std::uint64_t, std::uint64_t) {
        for (auto& request : incoming_) request.wait();
        incoming_.clear();
        transport_.send(&note_, answer_bytes, peer_, answer_tag).wait();
    }

    std::span<std::byte> outgoing(std::uint64_t index, std::uint64_t bytes) {
        return buffer_.part(transport_.rank() == 0, index, bytes);
    }
    std::span<std::byte> incoming(std::uint64_t index, std::uint64_t bytes) {
        return buffer_.part(transport_.rank() == 1, index, bytes);
    }

  private:
    static constexpr int answer_tag = 32766;
    // A collective of no bytes is complete without a message.
    static constexpr std::size_t answer_bytes = InOrder<T> ? 1 : 0;

    T transport_;
    int peer_;
    OperationBuffer buffer_;
    std::byte note_{};
    Request answer_;
    std::vector<Request> incoming_;
};

}  // namespace lapwing

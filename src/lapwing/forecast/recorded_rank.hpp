#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "lapwing/simulate/program/graph_writer.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// A transport that moves nothing: it records what one rank of a program does, as a schedule for
/// the engine. A program that is a template over its transport runs on it as on any other, and says
/// by `compute` what its computation takes, in place of computing.
class RecordedRank {
  public:
    /// A message under way. The record says when the program waits for it.
    class Request {
      public:
        Request() = default;
        Request(simulate::GraphWriter& writer, simulate::GraphWriter::Transfer transfer)
            : writer_(&writer), transfer_(transfer) {}
        Request(Request&& other) noexcept
            : writer_(std::exchange(other.writer_, nullptr)), transfer_(other.transfer_) {}
        Request& operator=(Request&& other) noexcept {
            std::swap(writer_, other.writer_);
            std::swap(transfer_, other.transfer_);
            return *this;
        }
        Request(const Request&) = delete;
        Request& operator=(const Request&) = delete;
        ~Request() { wait(); }

        /// Whether the program has waited for it: nothing arrives before.
        [[nodiscard]] bool test() const { return writer_ == nullptr; }
        void wait() {
            if (writer_ != nullptr) std::exchange(writer_, nullptr)->await(transfer_);
        }
        /// Waits for the first one under way. Returns which.
        [[nodiscard]] static std::size_t wait_any(std::span<Request> requests) {
            std::size_t which = 0;
            while (requests[which].test()) ++which;
            requests[which].wait();
            return which;
        }

      private:
        simulate::GraphWriter* writer_ = nullptr;
        simulate::GraphWriter::Transfer transfer_;
    };

    /// Rank `rank` of `size`, the one that `writer` has begun.
    RecordedRank(simulate::GraphWriter& writer, int rank, int size)
        : writer_(writer), rank_(rank), size_(size) {}

    Request send(const void* /*from*/, std::size_t bytes, int peer, int tag) {
        return {writer_, writer_.send(static_cast<std::uint64_t>(peer),
                                      static_cast<std::uint64_t>(tag), bytes)};
    }
    Request receive(void* /*into*/, std::size_t bytes, int peer, int tag) {
        return {writer_, writer_.receive(static_cast<std::uint64_t>(peer),
                                         static_cast<std::uint64_t>(tag), bytes)};
    }
    /// Records a computation of so many seconds.
    void compute(double seconds) {
        writer_.compute(seconds);
        computed_ += seconds;
    }
    /// Seconds that the rank has computed so far.
    [[nodiscard]] double now() const { return computed_; }

    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int size() const { return size_; }

  private:
    simulate::GraphWriter& writer_;
    int rank_;
    int size_;
    double computed_ = 0;
};

static_assert(Transport<RecordedRank>);

}  // namespace lapwing

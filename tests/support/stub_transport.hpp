#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lapwing/transport/transport.hpp"

namespace lapwing::test {

/// What the stub's network costs, in seconds of its own clock.
struct StubCosts {
    double overhead = 1e-6;  ///< of every initiation
    double latency = 10e-6;
    double per_byte = 1e-9;
    std::size_t queue_depth = 0;  ///< initiation of message k waits for message k - depth; 0: never
};

/// A transport without a network or a peer. Its clock moves only when it is used. Data moves when a
/// message is awaited, not before, so that a test sees whether somebody looks too early. What was
/// sent is kept.
class StubTransport {
  public:
    class Request {
      public:
        Request() = default;
        Request(StubTransport& transport, std::size_t index)
            : transport_(&transport), index_(index) {}
        Request(Request&& other) noexcept
            : transport_(std::exchange(other.transport_, nullptr)), index_(other.index_) {}
        Request& operator=(Request&& other) noexcept {
            std::swap(transport_, other.transport_);
            std::swap(index_, other.index_);
            return *this;
        }
        Request(const Request&) = delete;
        Request& operator=(const Request&) = delete;
        ~Request() {
            if (transport_ != nullptr) transport_->complete(index_);
        }
        bool test() {
            if (transport_ == nullptr) return true;
            ++transport_->tests;
            if (transport_->messages_[index_].done > transport_->clock_) return false;
            wait();
            return true;
        }
        void wait() {
            if (transport_ != nullptr) std::exchange(transport_, nullptr)->complete(index_);
        }

      private:
        StubTransport* transport_ = nullptr;
        std::size_t index_ = 0;
    };

    explicit StubTransport(StubCosts costs = {}) : costs_(costs) {}
    /// The bytes that are received.
    StubTransport(StubCosts costs, std::vector<std::byte> incoming)
        : costs_(costs), incoming_(std::move(incoming)) {}

    Request send(const void* from, std::size_t bytes, int, int tag) {
        const auto* const data = static_cast<const std::byte*>(from);
        Message& message = initiate(bytes, tag);
        message.from = data;
        message.snapshot.assign(data, data + bytes);
        return {*this, messages_.size() - 1};
    }
    Request receive(void* into, std::size_t bytes, int, int tag) {
        if (offered_ + bytes > incoming_.size())
            throw std::logic_error("receives more than was sent");
        Message& message = initiate(bytes, tag);
        message.into = static_cast<std::byte*>(into);
        message.offset = offered_;
        offered_ += bytes;
        return {*this, messages_.size() - 1};
    }
    [[nodiscard]] double now() const { return clock_; }

    std::vector<std::byte> sent;     ///< in the order of completion
    std::vector<std::size_t> sizes;  ///< of all messages, in the order of initiation
    std::vector<int> tags;
    std::size_t under_way = 0;
    std::size_t most_under_way = 0;
    std::size_t overwritten = 0;  ///< messages whose buffer changed while they were under way
    std::size_t tests = 0;

  private:
    struct Message {
        const std::byte* from = nullptr;
        std::byte* into = nullptr;
        std::size_t bytes = 0;
        std::size_t offset = 0;
        double done = 0;
        std::vector<std::byte> snapshot;
    };

    Message& initiate(std::size_t bytes, int tag) {
        const std::size_t index = messages_.size();
        clock_ += costs_.overhead;
        if (const std::size_t depth = costs_.queue_depth; depth > 0 && index >= depth)
            clock_ = std::max(clock_, messages_[index - depth].done);
        const double free = messages_.empty() ? 0 : messages_.back().done;
        Message& message = messages_.emplace_back();
        message.bytes = bytes;
        message.done =
            std::max(clock_ + costs_.latency, free) + costs_.per_byte * static_cast<double>(bytes);
        sizes.push_back(bytes);
        tags.push_back(tag);
        most_under_way = std::max(most_under_way, ++under_way);
        return message;
    }
    void complete(std::size_t index) {
        Message& message = messages_[index];
        clock_ = std::max(clock_, message.done);
        --under_way;
        if (message.bytes == 0) return;
        if (message.into != nullptr) {
            std::memcpy(message.into, incoming_.data() + message.offset, message.bytes);
        } else {
            if (std::memcmp(message.from, message.snapshot.data(), message.bytes) != 0)
                ++overwritten;
            sent.insert(sent.end(), message.from, message.from + message.bytes);
        }
    }

    StubCosts costs_;
    double clock_ = 0;
    std::vector<std::byte> incoming_;
    std::size_t offered_ = 0;
    std::vector<Message> messages_;
};

static_assert(Transport<StubTransport>);

}  // namespace lapwing::test

#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <utility>

#include "lapwing/transport/shmem/protocol.hpp"
#include "lapwing/transport/stream_list.hpp"

namespace lapwing::shmem {

/// One side of a stream: a message without bytes, whose announcement says where the stream is to
/// go, and which is put when the stream is over. Meanwhile the sender of each message tells how
/// many bytes are there: one number at the receiver, which grows. `All` has
/// `await_announcement(outgoing)`, `end(outgoing)`, `counter(outgoing)` and `close(incoming)`.
template <class All>
class Stream {
  public:
    /// The receiver's side, with its memory; `incoming`: the message, `counter`: where this rank is
    /// told of bytes, and `count`: what it said before the announcement.
    Stream(All& all, std::span<std::byte> data, const Incoming& incoming, std::uint64_t& counter,
           std::uint64_t count)
        : all_(all), memory_(data), incoming_(incoming), counter_(&counter), count_(count) {}
    /// The sender's side, with the data; `outgoing`: the message.
    Stream(All& all, std::span<const std::byte> data, Outgoing& outgoing)
        : all_(all), memory_(data), outgoing_(&outgoing) {}
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    /// Ends it, unless an exception ends its scope: then the peer may never come. An error in that
    /// cannot be told to anybody.
    ~Stream() {
        if (std::uncaught_exceptions() > exceptions_) return;
        try {
            end();
            if (incoming_.arrival != nullptr) all_.close(incoming_);
        } catch (...) {  // NOLINT(bugprone-empty-catch)
        }
    }

    [[nodiscard]] StreamMemory& memory() { return memory_; }
    /// Returns when messages can be sent: the sender waits for the announcement.
    void await_offer() {
        if (counter_ != nullptr) return;
        all_.await_announcement(*outgoing_);
        counter_ = &all_.counter(*outgoing_);
        count_ = outgoing_->announcement.count;
    }
    /// Says that all of its messages have been sent.
    void end() {
        if (outgoing_ != nullptr) all_.end(*std::exchange(outgoing_, nullptr));
    }

    /// Where in the receiver's memory a message goes whose place here is `data`. The sender waits
    /// for the announcement. Throws `std::runtime_error` where the receiver has not as much memory.
    [[nodiscard]] std::uint64_t place(const void* data, std::size_t bytes) {
        await_offer();
        const Announcement& announced = outgoing_->announcement;
        return announced.place + memory_.offset("shmem", data, bytes, announced.bytes);
    }
    [[nodiscard]] std::uint64_t& counter() const { return *counter_; }
    /// What the counter says when the next message, of `bytes`, is there.
    [[nodiscard]] std::uint64_t next_count(std::size_t bytes) { return count_ += bytes; }

  private:
    All& all_;
    StreamMemory memory_;
    Incoming incoming_;                 ///< at the receiver
    Outgoing* outgoing_ = nullptr;      ///< at the sender, until the stream has ended
    std::uint64_t* counter_ = nullptr;  ///< at the receiver; the sender's is known once announced
    std::uint64_t count_ = 0;           ///< of the messages so far
    int exceptions_ = std::uncaught_exceptions();
};

}  // namespace lapwing::shmem

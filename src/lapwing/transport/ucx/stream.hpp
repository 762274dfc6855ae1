#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <utility>

#include "lapwing/transport/stream_list.hpp"
#include "lapwing/transport/ucx/request.hpp"
#include "lapwing/transport/ucx/transfer.hpp"

namespace lapwing {

/// One side of a stream by UCX: a transfer that its owner offers once, and that is over when the
/// mover says so. Meanwhile the sender of each message tells how many bytes are there: one number
/// at the receiver, which grows, in place of an answer. `All` has `wait_for_offer(transfer)`,
/// `end(transfer)`, `close(transfer)` and `forget(transfer)`.
template <class All>
class UcxStream {
  public:
    /// `data`: this side's; `transfer`: that has begun for all of it.
    UcxStream(All& all, std::span<const std::byte> data, std::unique_ptr<UcxTransfer> transfer)
        : all_(all), memory_(data), transfer_(std::move(transfer)) {}
    UcxStream(const UcxStream&) = delete;
    UcxStream& operator=(const UcxStream&) = delete;
    /// Ends it, unless an exception ends its scope: then the peer may never come. An error in that
    /// cannot be told to anybody.
    ~UcxStream() {
        try {
            if (std::uncaught_exceptions() > exceptions_) {
                all_.forget(*transfer_);
                return;
            }
            end();
            all_.close(std::move(transfer_));
        } catch (...) {  // NOLINT(bugprone-empty-catch)
        }
    }

    [[nodiscard]] StreamMemory& memory() { return memory_; }
    /// Returns when messages can be moved: the mover waits for the offer.
    void await_offer() {
        if (!transfer_->owns) all_.wait_for_offer(*transfer_);
    }
    /// Says that all of its messages are complete.
    void end() {
        if (!transfer_->owns) all_.end(*transfer_);
    }

    /// The next message of it, which lies at `data` here; the mover waits for the offer. Throws
    /// `std::runtime_error` where the owner has not as much memory.
    [[nodiscard]] std::unique_ptr<UcxTransfer> message(const void* data, std::size_t bytes) {
        await_offer();
        auto message = std::make_unique<UcxTransfer>();
        message->owns = transfer_->owns;
        message->peer = transfer_->peer;
        message->data = static_cast<std::byte*>(const_cast<void*>(data));
        message->bytes = bytes;
        message->stream = transfer_.get();
        const UcxOffer& offer = transfer_->offer;
        if (!message->owns)
            message->offer.place = offer.place + memory_.offset("ucx", data, bytes, offer.bytes);
        message->count = count_ += bytes;
        return message;
    }

  private:
    All& all_;
    StreamMemory memory_;
    std::unique_ptr<UcxTransfer> transfer_;
    std::uint64_t count_ = 0;  ///< bytes of its messages so far
    int exceptions_ = std::uncaught_exceptions();
};

}  // namespace lapwing

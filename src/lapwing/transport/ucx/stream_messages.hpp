#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/transport/ucx/offer_board.hpp"
#include "lapwing/transport/ucx/transfer.hpp"
#include "lapwing/transport/ucx/ucx.hpp"

namespace lapwing {

/// The messages of streams that are under way. The sender of each puts a count of bytes at the
/// receiver. It counts the bytes that it has put or, where the receiver reads, that are there to
/// read.
class UcxStreamMessages {
  public:
    UcxStreamMessages(Ucx& ucx, const UcxOfferBoard& board, UcxMove move)
        : ucx_(ucx), board_(board), move_(move) {}

    /// The caller holds the worker's lock.
    void begin(UcxTransfer& message) {
        message.attempt([&] { advance(message); });
        if (message.state != State::complete) under_way_.push_back(&message);
    }
    /// Moves all of them on. The caller holds the worker's lock.
    void advance() {
        if (under_way_.empty()) return;
        for (UcxTransfer* const message : under_way_) message->attempt([&] { advance(*message); });
        drop_complete(under_way_);
    }

    /// Leaves the messages of `stream`, which will not be waited for.
    void forget(const UcxTransfer& stream) {
        std::erase_if(under_way_, [&](UcxTransfer* message) {
            if (message->stream != &stream) return false;
            message->state = State::complete;
            return true;
        });
    }

  private:
    using State = UcxTransfer::State;

    /// A message begins when its data is there, or can be told to be, and is complete when its
    /// memory is free.
    void advance(UcxTransfer& message) {
        if (message.state == State::waiting) {
            if (message.stream->state == State::waiting) return;  // for a slot of its offer
            const bool receives = message.owns == (move_ == UcxMove::put);
            if (receives && count(message) < message.count) return;
            message.state = State::moving;
            if (!message.owns) start_move(ucx_, move_, message, message.bytes);
            if (!receives && message.stream->offer.readable != UcxOffer::everything) tell(message);
        }
        if (message.moved.complete() && message.told.complete()) message.state = State::complete;
    }
    /// Bytes of the message's stream that are there.
    [[nodiscard]] std::uint64_t count(const UcxTransfer& message) const {
        return UcxOfferBoard::read(ucx_, count_at(message.peer, message.stream->slot));
    }
    void tell(UcxTransfer& message) {
        std::atomic_thread_fence(std::memory_order_release);
        if (message.owns) ucx_.fence();  // counts arrive in their order
        message.told = ucx_.put(&message.count, sizeof message.count, message.peer,
                                count_at(ucx_.rank(), message.stream->slot));
    }
    /// Where the count is in the region of the receiver.
    [[nodiscard]] std::size_t count_at(int sender, std::uint64_t slot) const {
        if (move_ == UcxMove::put) return board_.count_at(sender, slot);
        return board_.offer_at(sender, slot) + offsetof(UcxOffer, readable);
    }

    Ucx& ucx_;
    const UcxOfferBoard& board_;
    UcxMove move_;
    std::vector<UcxTransfer*> under_way_;
};

}  // namespace lapwing

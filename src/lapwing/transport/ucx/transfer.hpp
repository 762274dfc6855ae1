#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "lapwing/transport/ucx/offer_board.hpp"
#include "lapwing/transport/ucx/request.hpp"
#include "lapwing/transport/ucx/ucx.hpp"

namespace lapwing {

/// How the data of messages is moved.
enum class UcxMove { put, get };

/// One side of a message by UCX, or of a whole stream: the owner of the memory in the region offers
/// it, the other side moves the data. The messages of a stream are in that.
struct UcxTransfer {
    enum class State {
        waiting,  ///< to be offered, or for an offer; in a stream: for the data
        moving,   ///< offered, or being moved
        telling,  ///< moved; the flag is on its way
        complete,
    };

    bool owns = false;  ///< whether this is the side that offers
    bool open = false;  ///< it is a stream that has not ended
    State state = State::waiting;
    int peer = -1;
    std::byte* data = nullptr;
    std::size_t bytes = 0;
    std::int64_t tag = 0;
    UcxOffer offer{};               ///< made, or met
    std::uint64_t slot = 0;         ///< of the offer
    std::uint64_t flush = 0;        ///< number of the flush that completes it; 0: not known yet
    UcxTransfer* stream = nullptr;  ///< that it is a message of
    std::uint64_t count = 0;        ///< bytes of the stream's messages up to this one, and with it
    UcxRequest moved;               ///< the data, or the offer
    UcxRequest told;                ///< the flag, the count, or the number of the offer
    std::exception_ptr failure;

    /// Does `step`; an error is told to the request.
    template <class Step>
    void attempt(Step&& step) {
        try {
            step();
        } catch (...) {
            failure = std::current_exception();
            state = State::complete;
        }
    }
};

inline void drop_complete(std::vector<UcxTransfer*>& transfers) {
    std::erase_if(transfers, [](const UcxTransfer* transfer) {
        return transfer->state == UcxTransfer::State::complete;
    });
}

/// Begins to move `bytes` of a transfer that has its place. What is put after it arrives later.
inline void start_move(Ucx& ucx, UcxMove move, UcxTransfer& transfer, std::uint64_t bytes) {
    const std::uint64_t place = transfer.offer.place;
    if (move == UcxMove::get) {
        transfer.moved = ucx.get(transfer.data, bytes, transfer.peer, place);
    } else {
        transfer.moved = ucx.put(transfer.data, bytes, transfer.peer, place);
        ucx.fence();
    }
}

/// Owns a transfer of `All`, which has `progress()` and `wait(transfer)`. Without one it is
/// complete.
template <class All>
class UcxTransferRequest {
  public:
    UcxTransferRequest() = default;
    UcxTransferRequest(All& all, std::unique_ptr<UcxTransfer> transfer)
        : all_(&all), transfer_(std::move(transfer)) {}
    UcxTransferRequest(UcxTransferRequest&&) noexcept = default;
    UcxTransferRequest& operator=(UcxTransferRequest&& other) noexcept {
        std::swap(all_, other.all_);
        std::swap(transfer_, other.transfer_);
        return *this;
    }
    /// Waits: the buffer is in use until then. An error in that cannot be told to anybody.
    ~UcxTransferRequest() {
        try {
            wait();
        } catch (...) {  // NOLINT(bugprone-empty-catch)
        }
    }

    /// Whether the message is complete. Lets all that are under way progress.
    bool test() {
        if (transfer_ == nullptr) return true;
        if (!complete()) all_->progress();
        tell_failure();
        return complete();
    }
    void wait() {
        if (transfer_ == nullptr) return;
        if (!complete()) all_->wait(*transfer_);
        tell_failure();
    }

  private:
    [[nodiscard]] bool complete() const { return transfer_->state == UcxTransfer::State::complete; }
    /// Throws the error of this transfer, which may have come up in a wait for another.
    void tell_failure() const {
        if (transfer_->failure != nullptr) std::rethrow_exception(transfer_->failure);
    }

    All* all_ = nullptr;
    std::unique_ptr<UcxTransfer> transfer_;
};

}  // namespace lapwing

#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>

#include "lapwing/transport/ucx/offer_board.hpp"
#include "lapwing/transport/ucx/request.hpp"

namespace lapwing {

/// One side of a message by UCX: the owner of the memory in the region offers it, the other side
/// moves the data.
struct UcxTransfer {
    enum class State {
        waiting,  ///< to be offered, or for an offer
        moving,   ///< offered, or being moved
        telling,  ///< moved; the flag is on its way
        complete,
    };

    bool owns = false;  ///< whether this is the side that offers
    State state = State::waiting;
    int peer = -1;
    std::byte* data = nullptr;
    std::size_t bytes = 0;
    std::int64_t tag = 0;
    UcxOffer offer{};         ///< made, or met
    std::uint64_t slot = 0;   ///< of the offer
    std::uint64_t flush = 0;  ///< number of the flush that completes it; 0: none is needed
    UcxRequest moved;         ///< the data, or the offer
    UcxRequest told;          ///< the flag, or the number of the offer
    std::exception_ptr failure;
};

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

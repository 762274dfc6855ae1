#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

#include "lapwing/pipeline/poll.hpp"

namespace lapwing {

/// The messages in flight, oldest first, at most `window` of them.
template <class Request>
class Flight {
  public:
    Flight(int window, double poll_interval)
        : slots_(new Request[static_cast<std::size_t>(window)]),
          window_(static_cast<std::size_t>(window)),
          poller_(
              poll_interval, [](void* flight) { static_cast<Flight*>(flight)->progress(); }, this) {
    }

    [[nodiscard]] bool full() const { return under_way_ == window_; }
    [[nodiscard]] bool empty() const { return under_way_ == 0; }
    /// The slot the next message takes, 0 … window - 1; its buffer is free unless `full()`.
    [[nodiscard]] std::size_t next_slot() const { return next_; }

    /// Waits for the oldest message if the window is full.
    void make_room() {
        if (!full()) return;
        slots_[next_].wait();  // where the next one goes is the oldest
        --under_way_;
    }
    /// Takes a message that has just been initiated. Not while `full()`.
    void push(Request request) {
        slots_[next_] = std::move(request);
        taken();
    }
    /// Takes the message that `initiate()` returns, made in its place: no request is moved.
    template <class Initiate>
    void launch(Initiate&& initiate) {
        Request* const slot = &slots_[next_];
        std::destroy_at(slot);
        try {
            ::new (static_cast<void*>(slot)) Request(initiate());
        } catch (...) {
            ::new (static_cast<void*>(slot)) Request();
            throw;
        }
        taken();
    }
    /// Returns when the oldest message is complete. Not while `empty()`.
    void wait_oldest() {
        slots_[oldest()].wait();
        --under_way_;
    }
    /// Returns when all messages are complete.
    void drain() {
        while (!empty()) wait_oldest();
    }

    /// Lets the transport progress.
    void progress() {
        if (!empty()) slots_[oldest()].test();
    }

  private:
    void taken() {
        if (++next_ == window_) next_ = 0;
        ++under_way_;
    }
    [[nodiscard]] std::size_t oldest() const {
        return next_ >= under_way_ ? next_ - under_way_ : next_ + window_ - under_way_;
    }

    // Not a vector: its size would be computed, and its place loaded again, for each message.
    std::unique_ptr<Request[]> slots_;
    std::size_t window_;
    std::size_t next_ = 0;
    std::size_t under_way_ = 0;
    Poller poller_;
};

}  // namespace lapwing

#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "lapwing/pipeline/poll.hpp"

namespace lapwing {

/// The messages in flight, oldest first, at most `window` of them.
template <class Request>
class Flight {
  public:
    Flight(int window, double poll_interval)
        : slots_(static_cast<std::size_t>(window)),
          poller_(
              poll_interval, [](void* flight) { static_cast<Flight*>(flight)->progress(); }, this) {
    }

    [[nodiscard]] bool full() const { return under_way_ == slots_.size(); }
    [[nodiscard]] bool empty() const { return under_way_ == 0; }
    /// The slot the next message takes, 0 … window - 1; its buffer is free unless `full()`.
    [[nodiscard]] std::size_t next_slot() const { return next_; }

    /// Takes a message that has just been initiated. Not while `full()`.
    void push(Request request) {
        slots_[next_] = std::move(request);
        next_ = after(next_);
        ++under_way_;
    }
    /// Returns when the oldest message is complete. Not while `empty()`.
    void wait_oldest() {
        slots_[oldest_].wait();
        oldest_ = after(oldest_);
        --under_way_;
    }
    /// Returns when all messages are complete.
    void drain() {
        while (!empty()) wait_oldest();
    }

    /// Lets the transport progress.
    void progress() {
        if (!empty()) slots_[oldest_].test();
    }

  private:
    [[nodiscard]] std::size_t after(std::size_t slot) const {
        return slot + 1 == slots_.size() ? 0 : slot + 1;
    }

    std::vector<Request> slots_;
    std::size_t oldest_ = 0;
    std::size_t next_ = 0;
    std::size_t under_way_ = 0;
    Poller poller_;
};

}  // namespace lapwing

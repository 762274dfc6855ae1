#pragma once

#include <chrono>

namespace lapwing {

/// Something under way that only advances while somebody calls the transport, and the interval at
/// which it wants to be called. While it lives, `lapwing::poll()` on this thread serves it.
class Poller {
  public:
    using Clock = std::chrono::steady_clock;

    /// `interval` in seconds; 0 or less: never. `progress(object)` lets the transport progress.
    Poller(double interval, void (*progress)(void*), void* object)
        : interval_(
              std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(interval))),
          progress_(progress),
          object_(object) {
        if (interval <= 0) return;
        due_ = Clock::now() + interval_;
        previous_ = current_;
        current_ = this;
    }
    Poller(const Poller&) = delete;
    Poller& operator=(const Poller&) = delete;
    /// Pollers may end in any order.
    ~Poller() {
        for (Poller** link = &current_; *link != nullptr; link = &(*link)->previous_) {
            if (*link != this) continue;
            *link = previous_;
            return;
        }
    }

  private:
    friend void poll();

    void call() {
        if (const auto time = Clock::now(); time >= due_) {
            progress_(object_);
            due_ = Clock::now() + interval_;
        }
    }

    inline static thread_local Poller* current_ = nullptr;
    Clock::duration interval_;
    void (*progress_)(void*);
    void* object_;
    Clock::time_point due_;
    Poller* previous_ = nullptr;  ///< the one to be served when this one has ended
};

/// Call it now and then inside a long computation: where the plan asks for polling and the interval
/// has passed, messages under way advance. Costs a load and a branch where it does not.
inline void poll() {
    if (Poller::current_ != nullptr) Poller::current_->call();
}

}  // namespace lapwing

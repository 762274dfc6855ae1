#pragma once

#include <chrono>

#include "lapwing/compute/clock.hpp"

namespace lapwing {

/// Something under way that only advances while somebody calls the transport, and the interval at
/// which it wants to be called. While it lives, `lapwing::poll()` on this thread serves it, among
/// all others there are.
class Poller {
  public:
#ifdef LAPWING_SMPI
    /// Simulated time, in which the computation passes that polls.
    struct Clock {
        using duration = std::chrono::duration<double>;
        using time_point = std::chrono::time_point<Clock, duration>;
        static time_point now() { return time_point(duration(lapwing::now())); }
    };
#else
    using Clock = std::chrono::steady_clock;
#endif

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
        if (Clock::now() < due_) return;
        progress_(object_);
        due_ = Clock::now() + interval_;
    }

    inline static thread_local Poller* current_ = nullptr;
    Clock::duration interval_;
    void (*progress_)(void*);
    void* object_;
    Clock::time_point due_;
    Poller* previous_ = nullptr;  ///< the next to be served
};

/// Call it now and then inside a long computation: where the plan asks for polling and the interval
/// has passed, messages under way advance. Costs a load and a branch where it does not.
inline void poll() {
    for (Poller* poller = Poller::current_; poller != nullptr; poller = poller->previous_)
        poller->call();
}

}  // namespace lapwing

#pragma once

#include <chrono>

#include "lapwing/compute/clock.hpp"

namespace lapwing {

/// Messages that advance only while somebody calls the transport, and how often that is to be.
/// While it lives, `lapwing::poll()` on this thread lets them progress. Any number may live at
/// once, and end in any order.
class Poller {
  public:
#ifdef LAPWING_SMPI
    /// Simulated time: that in which the computation takes place.
    struct Clock {
        using duration = std::chrono::duration<double>;
        using time_point = std::chrono::time_point<Clock, duration>;
        static time_point now() { return time_point(duration(lapwing::now())); }
    };
#else
    using Clock = std::chrono::steady_clock;
#endif

    /// `interval`: seconds between calls of `progress(object)`; 0 or less: none is made.
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
    Poller* previous_ = nullptr;  ///< made before this one on the same thread
};

/// Lets messages under way advance, if the plan asks for polling and its interval has passed. To be
/// called now and then inside a long computation. Where the plan asks for none, it costs a load and
/// a branch.
inline void poll() {
    for (Poller* poller = Poller::current_; poller != nullptr; poller = poller->previous_)
        poller->call();
}

}  // namespace lapwing

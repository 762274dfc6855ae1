#pragma once

#include <cstdint>

#include "lapwing/observe/observer.hpp"
#include "lapwing/observe/traffic.hpp"

namespace lapwing::observe {

/// Seconds, on a clock that costs little to read.
double now();

/// One call of the program, observed unless it is made by MPI itself in the course of another, or
/// nobody asked for observation.
class ObservedCall {
  public:
    /// `routine`: `MPI_Send`, which must stay where it is.  `address`: to which the call returns.
    ObservedCall(const char* routine, const void* address);
    ~ObservedCall();
    ObservedCall(const ObservedCall&) = delete;
    ObservedCall& operator=(const ObservedCall&) = delete;

    [[nodiscard]] bool on() const { return on_; }
    /// The call is done.
    void done() { end_ = now(); }
    /// What is then said of it: `tell(observer, seen)`.
    template <class Tell>
    void record(Tell&& tell) {
        Observer* const observer = lock();
        std::uint32_t call = 0;
        if (observer && find_call(call)) tell(*observer, Seen{call, start_, end_});
        unlock();
    }

  private:
    Observer* lock();
    void unlock();
    bool find_call(std::uint32_t& call);

    const char* routine_;
    const void* address_;
    bool on_;
    double start_ = 0;
    double end_ = 0;
};

/// MPI is up: observes from now on, if LAPWING_OBSERVE names a directory to leave the table in.
/// `threads`: what MPI provides.
void begin_observing(int threads);
/// MPI is about to end: brings the tables of all ranks to the first, which writes them.
void end_observing();

}  // namespace lapwing::observe

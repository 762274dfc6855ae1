#pragma once

#include <cstdint>

#include "lapwing/observe/observer.hpp"
#include "lapwing/observe/traffic.hpp"

namespace lapwing::observe {

/// Seconds, on a clock that is cheap to read.
double now();

/// Whether the events of this rank are recorded.
bool records_events();

/// One call of the program. It is not observed if MPI itself makes it in the course of another
/// call, or if nobody asked for observation.
class ObservedCall {
  public:
    /// `routine`: its name, such as "MPI_Send", which outlives the program's run. `address`: to
    /// which the call returns.
    ObservedCall(const char* routine, const void* address);
    ~ObservedCall();
    ObservedCall(const ObservedCall&) = delete;
    ObservedCall& operator=(const ObservedCall&) = delete;

    [[nodiscard]] bool on() const { return on_; }
    /// The call has ended.
    void done() { end_ = now(); }
    /// Calls `tell(observer, timed)`, which says what the call did.
    template <class Tell>
    void record(Tell&& tell) {
        Observer* const observer = lock();
        std::uint32_t call = 0;
        if (observer && find_call(call)) tell(*observer, TimedCall{call, start_, end_});
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

/// Observes from now on, if LAPWING_OBSERVE names a directory to leave the table in, and records
/// events if LAPWING_OBSERVE_EVENTS is set. MPI has begun.
/// `threads`: the thread level that it provides.
void begin_observing(int threads);
/// Collects the tables of all ranks at the first, which writes them. MPI is about to end.
void end_observing();

}  // namespace lapwing::observe

#pragma once

#include <cstdint>

#include "lapwing/observe/event_recorder.hpp"
#include "listeners.hpp"

namespace lapwing::observe {

/// Seconds, on a clock that is cheap to read.
double now();

/// Whether the events of this rank are recorded.
bool records_events();

/// Whether the calls of this rank are recorded one by one.
bool records_calls();

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
    /// Calls `tell(listeners, timed)`, which says what the call did.
    template <class Tell>
    void record(Tell&& tell) {
        lock();
        TimedCall timed{0, start_, end_};
        Listeners listeners = find_listeners(timed.call);
        if (listeners.recorder) listeners.recorder->passed(timed);
        tell(listeners, timed);
        if (listeners.recorder) listeners.recorder->resumed(now());
        unlock();
    }

  private:
    static void lock();
    static void unlock();
    Listeners find_listeners(std::uint32_t& call);
    bool find_call(std::uint32_t& call);

    const char* routine_;
    const void* address_;
    bool on_;
    double start_ = 0;
    double end_ = 0;
};

/// Observes from now on, if LAPWING_OBSERVE names a directory to leave the table in. Records events
/// if LAPWING_OBSERVE_EVENTS is set, and every call if LAPWING_OBSERVE_RECORD is set. The value is
/// the most bytes that a rank writes. Then it sums up only if LAPWING_OBSERVE_SUMS is set, too. MPI
/// has begun. `threads`: the thread level that it provides.
void begin_observing(int threads);
/// Collects the tables of all ranks at the first, which writes them. MPI is about to end.
void end_observing();

}  // namespace lapwing::observe

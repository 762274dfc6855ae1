#pragma once

#include <cstdint>

#include "call_description.hpp"
#include "lapwing/observe/observer.hpp"
#include "recorder.hpp"
#include "traffic_of.hpp"

namespace lapwing::observe {

/// The listeners to the calls of a rank: one sums them up, the other records them.
struct Listeners {
    Observer* observer = nullptr;  ///< null: sums up nothing
    Recorder* recorder = nullptr;  ///< null: nothing is recorded

    // What follows means what it does in `Observer` and `Recorder`.
    void blocking(const TimedCall& timed, const CallDescription& call) const {
        if (observer) observer->blocking(timed, traffic_of(call));
        if (recorder) recorder->blocking(timed, call);
    }
    void initiated(const TimedCall& timed, const CallDescription& call,
                   std::uint64_t handle) const {
        if (observer) observer->initiated(timed, traffic_of(call), handle);
        if (recorder) recorder->initiated(timed, call, handle);
    }
    void prepared(const TimedCall& timed, const CallDescription& call, std::uint64_t handle) const {
        if (observer) observer->prepared(traffic_of(call), handle);
        if (recorder) recorder->prepared(timed, call, handle);
    }
    template <class Handles>
    void started(const TimedCall& timed, const Handles& handles) const {
        if (observer) observer->started(timed, handles);
        if (recorder) recorder->started(timed, handles);
    }
    template <class Handles>
    void completed(const TimedCall& timed, const Handles& handles) const {
        if (observer) observer->completed(timed, handles);
        if (recorder) recorder->completed(timed, handles);
    }
    void forgotten(const TimedCall& timed, std::uint64_t handle) const {
        if (observer) observer->forgotten(handle);
        if (recorder) recorder->forgotten(timed, handle);
    }
};

}  // namespace lapwing::observe

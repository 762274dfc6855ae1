#pragma once

#include <cstddef>
#include <cstdint>

namespace lapwing {

/// What a rank spends its time on while a pipeline or a stream runs.
enum class Activity {
    initiation,   ///< of a message
    wait,         ///< for a message that is not complete yet
    computation,  ///< a step of a pipeline
    poll,         ///< the transport progressed from inside a computation, and is part of it
    consumption,  ///< of a message that has arrived
};
inline constexpr std::size_t activities = 5;

/// One stretch of it.
struct Event {
    Activity activity = Activity::initiation;
    std::uint64_t index = 0;  ///< which of its activity, from 0: the step, or the message
    double start = 0;         ///< seconds, of `now()`
    double end = 0;
    friend bool operator==(const Event&, const Event&) = default;
};

}  // namespace lapwing

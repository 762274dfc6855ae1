#pragma once

#include <cstddef>
#include <cstdint>

namespace lapwing {

/// What a rank does while a pipeline or a stream runs.
enum class Activity {
    initiation,   ///< it initiates a message
    wait,         ///< it waits for a message to complete
    computation,  ///< it computes a step of a pipeline
    poll,         ///< it polls the transport from inside a computation, and as part of it
    consumption,  ///< it consumes a message that has arrived
};
inline constexpr std::size_t activities = 5;

/// One interval of an activity.
struct Event {
    Activity activity = Activity::initiation;
    std::uint64_t index = 0;  ///< number of the step, poll or message, from 0
    double start = 0;         ///< seconds by `now()`
    double end = 0;
    friend bool operator==(const Event&, const Event&) = default;
};

}  // namespace lapwing

#pragma once

#include <cstdint>
#include <string_view>

#include "lapwing/plan/messages.hpp"
#include "lapwing/plan/workload.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// Who chooses.
enum class Method {
    lapwing,  ///< ours: messages of unequal size, proved equal to the limit where there is one
    paper,    ///< Iancu and Strohmaier 2007: equations 1 to 8 and a discrete search
};

/// What keeps a plan from being faster.
enum class Bound { communication, computation, latency };

/// How to run a workload: what to send in which pieces, and how far to run ahead.
struct Plan {
    Workload workload;
    Method method = Method::lapwing;
    Messages messages;
    int window = 1;                ///< messages in flight
    int burst = 0;                 ///< b of template E; 0 where messages are initiated one by one
    double pace = 0;               ///< seconds per byte a sender leaves between messages; 0: none
    double poll_interval = 0;      ///< seconds between polls while computing; 0: no polling
    std::string_view poll_reason;  ///< why so, for people
    double predicted = 0;          ///< seconds
    double limit = 0;              ///< seconds no choice of messages can beat
    double blocking = 0;           ///< seconds of schedule A, predicted
    Bound bound = Bound::communication;
};

/// The plan for a workload on a measured machine. Never communicates; a stream of any length takes
/// microseconds. "Do not split" and "do not overlap" are among its choices: one message.
/// Throws `std::invalid_argument` for an impossible workload (no volume, a negative or not finite
/// computation, no grain) and for a profile that `validate` refuses.
[[nodiscard]] Plan plan(const Profile& profile, const Workload& workload,
                        Method method = Method::lapwing);

}  // namespace lapwing

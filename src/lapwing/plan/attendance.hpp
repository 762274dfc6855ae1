#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "lapwing/model/stream.hpp"
#include "lapwing/plan/workload.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// How large messages should be where larger ones wait for somebody to call the transport.
struct Attendance {
    double largest = std::numeric_limits<double>::infinity();  ///< bytes
    double stalled = 0;  ///< seconds per byte that are not hidden at that size
    int window = 1;      ///< messages in flight it takes
    /// Bytes in flight between two ranks that it takes: what is on its way beyond them only stands
    /// in queues.
    double in_flight = std::numeric_limits<double>::infinity();
    double poll_interval = 0;  ///< seconds; 0 where polling gains nothing
    std::string_view reason;   ///< of polling, or of not polling
};

/// Seconds that a message of `size` bytes takes longer by itself because it waits for its receive.
[[nodiscard]] double handshake(const std::optional<Protocol>& protocol, std::uint64_t size);

/// What messages were seen to expose of ranks that compute as those of this workload do; null where
/// that was not measured. `two_way`: all send, receive and compute.
[[nodiscard]] const ExposedTime* seen_computing(const Profile& profile, const Workload& workload,
                                                bool two_way);

/// Weighs, for each size measured, what its messages leave unhidden, and the handshake of those
/// that wait for their receive, against the overhead of having as many of them; or, where that was
/// measured, by what messages were seen to expose. `two_way`: all ranks send, receive and compute.
[[nodiscard]] Attendance attendance(const Profile& profile, const model::Stream& costs,
                                    const Workload& workload, bool two_way = false);

}  // namespace lapwing

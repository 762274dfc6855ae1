#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "lapwing/model/stream.hpp"
#include "lapwing/plan/costs/exposed_time.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// What messages may be like so that they advance while the program computes: MPI calls that
/// progress.
struct ProgressLimits {
    double largest = std::numeric_limits<double>::infinity();  ///< of a message, bytes
    double unhidden_per_byte = 0;  ///< not hidden at that size, seconds per byte
    int window = 1;                ///< messages in flight that it takes
    /// Bytes in flight between two ranks that it takes. More would only wait in queues.
    double in_flight = std::numeric_limits<double>::infinity();
    double poll_interval = 0;  ///< seconds; 0 where polling gains nothing
    std::string_view reason;   ///< of polling, or of not polling
};

/// A share hidden that is nearer to 1 than measurements tell counts as all.
inline constexpr double all_hidden = 0.98;

/// Whether messages of all measured sizes advance without calls; true where nothing was measured.
[[nodiscard]] bool advances_alone(const Progress& progress);

/// How much longer a message of `size` bytes takes because it waits for its receive (rendezvous),
/// seconds.
[[nodiscard]] double rendezvous_cost(const std::optional<Protocol>& protocol, std::uint64_t size);

/// The message size of those measured that costs least a byte: its overhead, its rendezvous and
/// what of it is not hidden. `line.o_r` is what the computing rank pays for a message; if it is
/// `two_way`, it pays `line.o_s` too.
[[nodiscard]] ProgressLimits progress_limits(const Progress& progress,
                                             const std::optional<Protocol>& protocol,
                                             const model::Stream& line, bool two_way);

/// The same from measured exposed time: the size at its optimum.
[[nodiscard]] ProgressLimits progress_limits(const ExposedTime& exposed,
                                             const ExposureOptimum& optimum, double poll_interval);

}  // namespace lapwing

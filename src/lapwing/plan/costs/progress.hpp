#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "lapwing/model/stream.hpp"
#include "lapwing/plan/workload.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// What messages may be like so that they advance while the program computes.
struct ProgressLimits {
    double largest = std::numeric_limits<double>::infinity();  ///< of a message, bytes
    double unhidden_per_byte = 0;  ///< not hidden at that size, seconds per byte
    int window = 1;                ///< messages in flight that it takes
    /// Bytes in flight between two ranks that it takes. More would only wait in queues.
    double in_flight = std::numeric_limits<double>::infinity();
    double poll_interval = 0;  ///< seconds; 0 where polling gains nothing
    std::string_view reason;   ///< of polling, or of not polling
};

/// The message size of those measured that costs least a byte: its overhead, its rendezvous and
/// what of it is not hidden. `line.o_r` is what the computing rank pays for a message; if it is
/// `two_way`, it pays `line.o_s` too.
[[nodiscard]] ProgressLimits progress_limits(const Progress& progress,
                                             const std::optional<Protocol>& protocol,
                                             const model::Stream& line, bool two_way);

/// The message size that exposes least of its time, of those measured.
struct ExposureOptimum {
    std::size_t at = 0;   ///< its place in the table
    bool polled = false;  ///< whether the transport is polled meanwhile
    double per_byte = 0;  ///< what it exposes, seconds per byte
};

/// `exposed` has a size at least. `G`: of the wire, seconds per byte. Polling takes time of its
/// own, which grows with the messages in flight, and must save a quarter of the transfer.
[[nodiscard]] ExposureOptimum exposure_optimum(const ExposedTime& exposed, double G);

[[nodiscard]] ProgressLimits progress_limits(const ExposedTime& exposed,
                                             const ExposureOptimum& optimum, double poll_interval);

/// What was measured of ranks that compute as those of this workload do; null where nothing was.
/// `two_way`: all ranks send and receive.  `G`: of the wire, seconds per byte.
[[nodiscard]] const ExposedTime* measured_exposure(const Progress& progress,
                                                   const Workload& workload, bool two_way,
                                                   double G);

/// The costs of messages for a rank that computes while it sends and receives. A message's two
/// overheads together are its exposed time. That holds protocol switches and latencies by size,
/// which are left out. The wire takes no longer than `fastest_gap`, seconds per byte.
[[nodiscard]] LinkCosts exchanging_costs(const LinkCosts& link, const ExposedTime& exposed,
                                         const ExposureOptimum& optimum, double fastest_gap);

/// The same of one that only receives: the overhead of receiving is what a message exposes.
[[nodiscard]] LinkCosts receiving_costs(const LinkCosts& link, const ExposedTime& exposed,
                                        const ExposureOptimum& optimum);

}  // namespace lapwing

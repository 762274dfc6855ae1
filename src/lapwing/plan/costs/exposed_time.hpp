#pragma once

#include <cstddef>

#include "lapwing/plan/workload.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// The message size that exposes least of its time, of those measured.
struct ExposureOptimum {
    std::size_t at = 0;   ///< its place in the table
    bool polled = false;  ///< whether the transport is polled meanwhile
    double per_byte = 0;  ///< what it exposes, seconds per byte
};

/// `exposed` has a size at least. `G`: of the wire, seconds per byte. Polling takes time of its
/// own, which grows with the messages in flight, and must save a quarter of the transfer.
[[nodiscard]] ExposureOptimum exposure_optimum(const ExposedTime& exposed, double G);

/// Seconds that a message of `size` bytes exposes: interpolated up to the optimum, and as much a
/// byte as the optimum beyond it (longer messages are sent as several).
[[nodiscard]] double exposure_at(const ExposedTime& exposed, const ExposureOptimum& optimum,
                                 double size);

/// What was measured of ranks that compute as those of this workload do; null where nothing was.
/// `two_way`: all ranks send and receive.  `G`: of the wire, seconds per byte.
[[nodiscard]] const ExposedTime* measured_exposure(const Progress& progress,
                                                   const Workload& workload, bool two_way,
                                                   double G);

/// What messages cost a rank that computes while it sends and receives: a message's two overheads
/// are together what it exposes. That holds what protocol switches cost as well, so the switches
/// and the latencies by size are left out. The wire is no slower than `fastest_gap`.
[[nodiscard]] LinkCosts exchanging_costs(const LinkCosts& link, const ExposedTime& exposed,
                                         const ExposureOptimum& optimum, double fastest_gap);

/// What messages cost a rank that computes while it only receives: the overhead of receiving is
/// what a message exposes, which holds what protocol switches cost.
[[nodiscard]] LinkCosts receiving_costs(const LinkCosts& link, const ExposedTime& exposed,
                                        const ExposureOptimum& optimum);

}  // namespace lapwing

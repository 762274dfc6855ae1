#pragma once

#include <cstdint>
#include <vector>

#include "lapwing/calibrate/benchmarks/pair_benchmarks.hpp"
#include "lapwing/calibrate/parts/context.hpp"
#include "lapwing/calibrate/parts/loggp.hpp"
#include "lapwing/calibrate/sampling/campaign.hpp"
#include "lapwing/calibrate/statistics/estimate.hpp"
#include "lapwing/profile/profile.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing {

/// What the measurements behind `measure_loggp` share: options, benchmarks, and what is known so
/// far.
struct MessageMeasurement {
    /// Opens connections, fills caches, and learns roughly how fast the wire is, which bounds the
    /// sizes.
    MessageMeasurement(Context& context, const LogGPOptions& options, Profile& profile);

    /// Seconds that the wire is busy with so many bytes, roughly.
    [[nodiscard]] double wire(std::uint64_t bytes) const {
        return rough_G * static_cast<double>(bytes);
    }
    /// How often to repeat in one visit what takes about `seconds`.
    [[nodiscard]] int times_a_visit(double seconds) const;
    /// Messages of `size` bytes in a flood.
    [[nodiscard]] std::uint64_t flood_of(std::uint64_t size) const;
    /// A campaign from share `begin` of the time to share `end`, 0 … 1.
    [[nodiscard]] Campaign campaign(double begin, double end) const;

    Context& context;
    const LogGPOptions& options;
    Profile& profile;
    TwoSidedPair& pair;
    double pass;         ///< as `VectorAdd` takes it
    double rough_L = 0;  ///< seconds, half a round trip of a short message
    double rough_G = 0;  ///< seconds per byte
    std::vector<std::uint64_t> sizes;
    PairBenchmarks benchmarks;
    std::vector<Estimate> trips;  ///< half round trips, seconds [size]; rank 0's
    LinearCost receive_line;      ///< o_r(S) of short messages
};

// The measurements, in their order. Both ranks call each; rank 0 has the result in the profile.

/// Whether the interface serialises messages or shares its bandwidth among them, and up to which
/// size messages keep their order all the same.
void measure_nic(MessageMeasurement& measurement);
/// O_s, O_r, O_both: processor time that messages under way steal of a computation.
void measure_progress_steal(MessageMeasurement& measurement);
/// How much of a message progresses while ranks compute, and its cost for them.
void measure_progress(MessageMeasurement& measurement);
/// Messages outstanding before initiation waits, or takes longer.
void measure_queue_depth(MessageMeasurement& measurement);

}  // namespace lapwing

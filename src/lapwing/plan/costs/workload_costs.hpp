#pragma once

#include "lapwing/plan/costs/rank_costs.hpp"
#include "lapwing/plan/workload.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// The costs of a workload, for the two ways to run it.
struct WorkloadCosts {
    RankCosts computing;     ///< while messages are in flight: a run that overlaps
    RankCosts idle;          ///< at no time meanwhile: the blocking run
    double uncertainty = 0;  ///< relative error of computation over communication

    /// Whether messages take the processor from the computation.
    [[nodiscard]] bool take_processor() const;
};

/// What a workload's messages cost on a measured machine, sent by `transport` (not `any`).
/// `workload`: complete. The profile outlives the result. Throws `std::invalid_argument` for costs
/// that the profile does not have: strided data without log_3P, one-sided operations.
///
/// Computing ranks pay what was measured of such ranks, where that was (`measured_exposure`), and
/// the model's terms elsewhere; on top comes the processor time that messages in flight steal (O of
/// LogGOPS).
[[nodiscard]] WorkloadCosts workload_costs(const Profile& profile, const Workload& workload,
                                           MessageTransport transport);

}  // namespace lapwing

#pragma once

#include <cstdint>

#include "lapwing/plan/plan.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// Work in independent pieces, shared by all ranks. Rank 0 collects the results of pieces while the
/// ranks work on later ones (Hoefler, Gottschling, Lumsdaine 2008, section 2: parallel
/// compression).
struct GatherWorkload {
    int ranks = 2;
    std::uint64_t pieces = 0;  ///< in all
    double compute = 0;        ///< seconds a piece takes one rank
    double bytes = 0;          ///< of its result, at most
    double memory = 256e6;     ///< bytes that rank 0 may use for what is in flight
};

/// How to run it.
struct GatherPlan {
    /// Its messages are in rounds, of grain 1: in a round each rank does one piece. For `pipeline`.
    Plan plan;
    double root_share = 1;  ///< see `GatherPartition`
};

/// The gathering of results on a machine that was not measured: defaults for most machines.
struct GatherSettings {
    std::uint64_t tile = 1;       ///< pieces of each rank in a round
    int window = 6;               ///< gathers in flight
    double poll_interval = 1e-3;  ///< between polls for arrivals, seconds; 0: none
};

/// The plan by `settings` for `pieces` pieces of work of `ranks` ranks. Throws
/// `std::invalid_argument` for less than one rank, tile or window.
[[nodiscard]] GatherPlan gather_with(const GatherSettings& settings, int ranks,
                                     std::uint64_t pieces);

/// The plan for a gather on a measured machine: how many pieces make one round. Large tiles save
/// overhead at rank 0, which pays for two messages from each rank a round. But nothing hides the
/// last tile, and nothing travels before the first: tiles may grow at the beginning and shrink
/// towards the end. All ranks share the wire into rank 0: no choice is faster than all results but
/// its own take that wire, or than the work of a rank.
/// Throws `std::invalid_argument` for an impossible workload or profile.
[[nodiscard]] GatherPlan plan_gather(const Profile& profile, const GatherWorkload& workload);

}  // namespace lapwing

#pragma once

#include <cstdint>

#include "lapwing/plan/plan.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// Work in pieces that are independent of each other, done by all ranks, whose results are
/// collected at rank 0 while later pieces are worked on (Hoefler, Gottschling, Lumsdaine 2008,
/// section 2: parallel compression).
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
    /// Of the pieces, for rank 0, compared with any other's: see `Dealer`.
    double root_share = 1;
};

/// How work is collected where nobody has measured the machine, in a way that suits most, or where
/// somebody knows better.
struct Collection {
    std::uint64_t tile = 1;       ///< pieces of each rank in a gather
    int window = 6;               ///< gathers in flight
    double poll_interval = 1e-3;  ///< seconds between looks at what has arrived; 0: none
};

/// The plan that says so, for `pieces` pieces of work of `ranks` ranks. Throws
/// `std::invalid_argument` where there is no rank, or a tile or window of none.
[[nodiscard]] GatherPlan gather_as(const Collection& collection, int ranks, std::uint64_t pieces);

/// The plan for a gather on a measured machine. The wire into rank 0 is what all share: it is busy
/// for as long as all results but rank 0's own take, and no choice is faster than that, or than the
/// work of a rank. What is chosen is how many pieces make one gather. Large tiles save overhead at
/// the root, which pays for two messages from each rank a gather. But the last tile travels when
/// there is nothing left to hide it behind, and before the first one nothing travels: so tiles may
/// grow at the beginning and shrink towards the end. Each candidate is played.
/// Throws `std::invalid_argument` for an impossible workload or profile.
[[nodiscard]] GatherPlan plan_gather(const Profile& profile, const GatherWorkload& workload);

}  // namespace lapwing

#pragma once

#include <cstdint>
#include <limits>

#include "lapwing/plan/costs/workload_costs.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// What is known of a pattern's wire beside what was measured of it.
struct PatternWire {
    /// Longest messages that are sent, bytes: what longer ones took in the pattern does not count.
    std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
    /// Seconds per byte that it takes at most, before contention.
    double slowest = std::numeric_limits<double>::infinity();
};

/// Whether computing ranks send and receive.
[[nodiscard]] bool is_two_way(const Workload& workload);

/// Whether the messages of all peers share a rank's window. In other patterns a message in flight
/// stands for one to each peer.
[[nodiscard]] bool shares_window(const Workload& workload);

/// Sets `costs.line` and `costs.packing` for the pattern: whose wire is shared, whose processor.
///
/// - `multi`: the peers' processors work side by side.
/// - `congested`: what all others send goes through one wire and one processor, `P` times as long.
/// - Patterns in which all ranks send: G is the slowest of the link's, that of both directions at
///   once, and that measured in the pattern, times the oversubscription of leaf switches.
/// - Collectives are flat: a message to each of the other ranks.
///
/// Throws `std::invalid_argument` for strided data if the profile has no log_3P tables.
void set_pattern_line(RankCosts& costs, const Profile& profile, const PatternWire& wire);

}  // namespace lapwing

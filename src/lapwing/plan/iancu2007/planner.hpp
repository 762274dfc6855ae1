#pragma once

#include <cstdint>

#include "lapwing/plan/plan_types.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// Where the discrete search ends: bursts, and messages.
inline constexpr int longest_burst = 64;
inline constexpr std::uint64_t most_messages = 8192;

/// The planner of Iancu and Strohmaier (2007), section 3, for template E. It takes the least value
/// of the model over every message size and burst, in powers of two, under the constraints.
///
/// - Point to point (3.1): where communication takes longer, equation 5 under constraints 2, 3 and
///   8. Where computation does, equation 7 (6 for a single burst) under 3 and 8. In both, `b S`
///   bytes no more than the profile says may be outstanding.
/// - Multiple end points (3.2), and a halo: as many point-to-point streams as peers. Either one
///   peer follows the other, with the bandwidth of nearest neighbours. Or each peer has a message
///   in turn, with the bandwidth across the bisection while communication takes longer. The planner
///   takes the faster of the two.
/// - End-point congestion (3.3): equation 9.
/// - All-to-all (3.4): the lesser of equations 10 and 11, with bursts of 1, as the paper says that
///   they choose. Of balanced loads where communication takes longer it finds that multiple end
///   points choose better: that is the runner-up.
///
/// `method`: with an overhead o(S, b), or o(S) of single messages. `workload`: complete. Throws
/// `std::invalid_argument` for what the paper has no model of: collectives, buckets, computation on
/// both sides of a message.
[[nodiscard]] Plan plan_iancu(const Profile& profile, const Workload& workload, Method method);

}  // namespace lapwing

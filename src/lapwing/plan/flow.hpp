#pragma once

#include <cstdint>
#include <string_view>

#include "lapwing/model/stream.hpp"
#include "lapwing/plan/plan.hpp"

namespace lapwing {

/// A pattern as one rank that computes sees it: a stream of messages with costs of its own.
struct Flow {
    /// `o_s` and `o_r` are what this rank's processor, or its partner's, takes at the two ends of a
    /// message; `t` all of the computation.
    model::Stream costs;
    double volume = 0;                ///< bytes, all peers together
    std::uint64_t peers = 1;          ///< messages go to so many in turn, as many to each
    std::uint64_t own = 0;            ///< bytes with each of them
    bool two_way = false;             ///< the rank that computes sends and receives
    Packing packing = Packing::none;  ///< of strided data
    std::string_view transport = "two-sided";
};

/// The flow of a complete workload.
///
/// Of `multi` the peers' processors work side by side. Of a `congested` one, what all others do at
/// its one end follows each other: `P` times the wire and the processor there. The wire of patterns
/// in which all ranks send takes what was measured with all of them, or both ways at once, where
/// that was, and what leaf switches with too few links up make of it.
/// Throws `std::invalid_argument` for strided data if the profile has no log_3P tables.
[[nodiscard]] Flow flow(const Profile& profile, const Workload& workload);

}  // namespace lapwing

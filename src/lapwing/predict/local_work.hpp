#pragma once

#include <cstdint>
#include <string_view>

#include "lapwing/profile/collective_costs.hpp"
#include "lapwing/simulate/collectives/make_collective.hpp"

namespace lapwing {

/// What an operation makes a rank do besides its messages, bytes. Of the busiest rank; those that
/// are looked at are the root, the one after it, the middle one and the last.
struct LocalWork {
    double combined = 0;  ///< that have arrived, and are combined with the rank's own data
    /// Of its own data, into the buffer that the operation works in, and in messages whose blocks
    /// do not lie together, at both ends.
    double copied = 0;
    double packed = 0;     ///< number of its messages with blocks in more than two stretches
    double exchanges = 0;  ///< number of steps in which it sends while it receives
    double exchanged = 0;  ///< bytes that it sends and receives at once in them
    /// Bytes of its temporary buffer: of the longest message that it combines or packs, or of the
    /// copy of its data that a reduce_scatter works on.
    double buffered = 0;
};

/// The local work of an algorithm. Parameters as of `simulate::CollectiveChoice`; a "send" has
/// none.
[[nodiscard]] LocalWork local_work(std::string_view operation, std::string_view algorithm,
                                   std::uint64_t ranks, std::uint64_t size);
/// The same of a choice with segments of its own, for example. Throws as
/// `simulate::make_collective`.
[[nodiscard]] LocalWork local_work(const simulate::CollectiveChoice& choice);

/// Whether no local work and no skew costs anything.
[[nodiscard]] bool is_free(const CollectiveCosts& costs);

/// Seconds that the slowest of `ranks` takes beyond its messages.
[[nodiscard]] double local_seconds(const CollectiveCosts& costs, const LocalWork& work,
                                   std::uint64_t ranks);

}  // namespace lapwing

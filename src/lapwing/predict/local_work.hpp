#pragma once

#include <cstdint>
#include <string_view>

#include "lapwing/profile/collective_costs.hpp"

namespace lapwing {

/// What an operation makes a rank do besides its messages, bytes. Of the busiest rank; those that
/// are looked at are the root, the one after it, the middle one and the last.
struct LocalWork {
    double combined = 0;  ///< that have arrived, and are combined with the rank's own data
    double copied = 0;    ///< of its own data, into the buffer that the operation works in
    double packed = 0;    ///< in messages whose blocks do not lie together, at both ends
};

/// The local work of an algorithm. Parameters as of `simulate::CollectiveChoice`; a "send" has
/// none.
[[nodiscard]] LocalWork local_work(std::string_view operation, std::string_view algorithm,
                                   std::uint64_t ranks, std::uint64_t size);

/// Seconds that the slowest of `ranks` takes beyond its messages.
[[nodiscard]] double local_seconds(const CollectiveCosts& costs, const LocalWork& work,
                                   std::uint64_t ranks);

}  // namespace lapwing

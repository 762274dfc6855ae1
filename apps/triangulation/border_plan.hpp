#pragma once

#include <cstdint>

#include "lapwing/plan/plan_types.hpp"
#include "result.hpp"

namespace lapwing::triangulation {

/// What exchanges the borders.
struct BorderWorkload {
    std::uint64_t border = 0;  ///< points for each neighbour, and from it
    std::uint64_t frame = 0;   ///< points that are inserted meanwhile
    int ranks = 0;
};

/// Seconds to insert a point, and to look whether its faces are certain. On simulated clusters so
/// much is charged.
[[nodiscard]] double insertion_seconds(const Job& job);

/// The messages of the borders: as the profile of the machine says, without one of 32 KiB, all of
/// them in flight. What the job fixes is as it says. Throws as `lapwing::plan`.
[[nodiscard]] Plan plan_border(const Job& job, const BorderWorkload& workload);

/// When to communicate: what the job says, or what `plan` has as the faster.
[[nodiscard]] Schedule chosen_schedule(const Job& job, const Plan& plan);

}  // namespace lapwing::triangulation

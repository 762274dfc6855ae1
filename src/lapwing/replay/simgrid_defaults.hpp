#pragma once

#include <cstdint>
#include <vector>

#include "lapwing/record/record.hpp"
#include "lapwing/simulate/collectives/make_collective.hpp"

namespace lapwing::replay {

/// What SimGrid 3.32's MPI does by default for a collective whose blocks are equal: collectives one
/// after the other, as messages see them. Combining takes no time there.
[[nodiscard]] std::vector<simulate::CollectiveChoice> simgrid_defaults(
    record::Collective collective, bool blocking, simulate::Rank ranks, std::uint64_t bytes);

}  // namespace lapwing::replay

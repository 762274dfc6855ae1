#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lapwing/record/record.hpp"
#include "lapwing/replay/extrapolate/rank_grid.hpp"

namespace lapwing::replay {

/// In which dimensions of a grid a communicator of `rank` extends: the members, in their order, are
/// all ranks that differ from `rank` in no other dimension. Nothing if it is no such row, column,
/// plane or whole grid.
[[nodiscard]] std::optional<Dimensions> extent(const RankGrid& grid, std::uint64_t rank,
                                               std::span<const record::Run> members);

/// The members of a communicator that extends so.
[[nodiscard]] std::vector<record::Run> members(const RankGrid& grid, std::uint64_t rank,
                                               const Dimensions& extent);

}  // namespace lapwing::replay

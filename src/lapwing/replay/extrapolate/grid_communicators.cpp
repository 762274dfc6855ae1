#include "lapwing/replay/extrapolate/grid_communicators.hpp"

#include <cstddef>

namespace lapwing::replay {
namespace {

std::vector<std::uint64_t> ranks_of(std::span<const record::Run> members) {
    std::vector<std::uint64_t> ranks;
    for (const record::Run& run : members)
        for (std::uint64_t i = 0; i < run.count; ++i)
            ranks.push_back(run.first + i * static_cast<std::uint64_t>(run.stride));
    return ranks;
}

constexpr Dimensions all_dimensions{true, true, true};

/// Ranks as runs.
std::vector<record::Run> runs_of(std::span<const std::uint64_t> ranks) {
    std::vector<record::Run> runs;
    for (const std::uint64_t rank : ranks) {
        if (!runs.empty()) {
            record::Run& run = runs.back();
            if (run.count == 1) run.stride = static_cast<std::int64_t>(rank - run.first);
            if (rank == run.first + run.count * static_cast<std::uint64_t>(run.stride)) {
                ++run.count;
                continue;
            }
        }
        runs.push_back({.first = rank, .stride = 1, .count = 1});
    }
    return runs;
}

}  // namespace

std::optional<Dimensions> extent(const RankGrid& grid, std::uint64_t rank,
                                 std::span<const record::Run> members) {
    const bool in_order = members.size() == 1 && members[0].first == 0 && members[0].stride == 1;
    if (in_order && members[0].count == grid.ranks()) return all_dimensions;
    const auto ranks = ranks_of(members);
    for (unsigned choice = 0; choice < 1U << RankGrid::dimensions; ++choice) {
        Dimensions free{};
        std::uint64_t count = 1;
        for (std::size_t d = 0; d < RankGrid::dimensions; ++d) {
            free[d] = (choice >> d & 1U) != 0;
            if (free[d]) count *= static_cast<std::uint64_t>(grid.sizes[d]);
        }
        if (count == ranks.size() && grid.subgrid(rank, free) == ranks) return free;
    }
    return std::nullopt;
}

std::vector<record::Run> members(const RankGrid& grid, std::uint64_t rank,
                                 const Dimensions& extent) {
    if (extent == all_dimensions) return {{.first = 0, .stride = 1, .count = grid.ranks()}};
    return runs_of(grid.subgrid(rank, extent));
}

}  // namespace lapwing::replay

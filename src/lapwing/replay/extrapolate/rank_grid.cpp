#include "lapwing/replay/extrapolate/rank_grid.hpp"

namespace lapwing::replay {

Position RankGrid::position(std::uint64_t rank) const {
    const auto number = static_cast<std::int64_t>(rank);
    return {number / (sizes[1] * sizes[2]), number / sizes[2] % sizes[1], number % sizes[2]};
}

std::uint64_t RankGrid::rank(const Position& position) const {
    std::int64_t number = 0;
    for (std::size_t d = 0; d < dimensions; ++d) {
        const std::int64_t size = sizes[d];
        number = number * size + (position[d] % size + size) % size;
    }
    return static_cast<std::uint64_t>(number);
}

Position RankGrid::distance(std::uint64_t from, std::uint64_t to) const {
    const Position here = position(from);
    Position distance = position(to);
    for (std::size_t d = 0; d < dimensions; ++d) {
        distance[d] -= here[d];
        if (!wraps[d]) continue;
        if (2 * distance[d] > sizes[d]) distance[d] -= sizes[d];
        if (2 * distance[d] < -sizes[d]) distance[d] += sizes[d];
    }
    return distance;
}

std::vector<std::uint64_t> RankGrid::subgrid(std::uint64_t rank, const Dimensions& free) const {
    const Position here = position(rank);
    Position first = here;
    Position last = here;
    for (std::size_t d = 0; d < dimensions; ++d) {
        if (!free[d]) continue;
        first[d] = 0;
        last[d] = sizes[d] - 1;
    }
    std::vector<std::uint64_t> ranks;
    for (std::int64_t i = first[0]; i <= last[0]; ++i)
        for (std::int64_t j = first[1]; j <= last[1]; ++j)
            for (std::int64_t k = first[2]; k <= last[2]; ++k)
                ranks.push_back(this->rank({i, j, k}));
    return ranks;
}

std::string RankGrid::text() const {
    std::string text;
    for (std::size_t d = 0; d < dimensions; ++d) {
        if (d > 0 && sizes[d] == 1) continue;
        text += (d > 0 ? " x " : "") + std::to_string(sizes[d]) + (wraps[d] ? " (periodic)" : "");
    }
    return text;
}

}  // namespace lapwing::replay

#include "benchmark.hpp"

#include <algorithm>

namespace lapwing::nas::cg {
namespace {

/// The doublings of `first` up to `last`.
std::vector<std::int64_t> doublings(std::int64_t first, std::int64_t last) {
    std::vector<std::int64_t> all;
    for (; first <= last; first *= 2) all.push_back(first);
    return all;
}

}  // namespace

std::size_t Benchmark::capacity(const Problem& problem, const Options& /*options*/, int ranks) {
    const RankGrid grid(problem, 0, ranks);
    const std::size_t slice = problem.rows / static_cast<std::size_t>(ranks) + 1;
    // The slices of a grid column, the sums of a grid row, and others' sums for this rank.
    const auto slices = static_cast<std::size_t>(grid.rows() + 2 * grid.columns());
    // Rounds of a sum have fewer messages than twice as many as there are ranks.
    constexpr std::size_t round = 256;  // bytes of such a message, and of alignment
    return slices * slice * sizeof(double) + round * (2 * static_cast<std::size_t>(ranks) + 8);
}

std::vector<Options> Benchmark::candidates(const Problem& problem, int ranks) {
    const RankGrid grid(problem, 0, ranks);
    constexpr std::int64_t least_piece = 256;  // elements: smaller messages do not pay
    const auto slice = static_cast<std::int64_t>(grid.own().length());
    std::vector<Options> all;
    const auto add = [&](Schedule schedule, std::vector<std::int64_t> values) {
        all.push_back({.schedule = schedule, .settings = std::move(values)});
    };
    const auto groups = doublings(2, std::clamp(ranks, 2, 4));
    const auto pieces =
        doublings(1, grid.columns() > 1 ? std::clamp<std::int64_t>(slice / least_piece, 1, 2) : 1);
    std::vector<std::int64_t> early{0};
    if (grid.rows() > 1) early = {0, 1, 2, 8};
    for (const std::int64_t sums : {2, 1})
        for (const std::int64_t group : groups) add(Schedule::blocking, {sums, group, 0, 1});
    for (const std::int64_t some : early)
        for (const std::int64_t piece : pieces)
            for (const std::int64_t sums : {2, 1})
                for (const std::int64_t group : groups)
                    add(Schedule::overlapped, {sums, group, some, piece});
    return all;
}

}  // namespace lapwing::nas::cg

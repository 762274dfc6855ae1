#include "lapwing/replay/extrapolate/find_grid.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "lapwing/replay/extrapolate/grid_communicators.hpp"
#include "lapwing/replay/extrapolate/irregular.hpp"
#include "lapwing/replay/extrapolate/partners.hpp"
#include "lapwing/replay/extrapolate/unlike_rank.hpp"

namespace lapwing::replay {
namespace {

/// All grids of so many ranks in so many dimensions, of two ranks at least each.
std::vector<Position> shapes(std::int64_t ranks, std::size_t dimensions) {
    if (dimensions == 1) return {{ranks, 1, 1}};
    std::vector<Position> all;
    for (std::int64_t last = 2; last <= ranks / 2; ++last) {
        if (ranks % last != 0) continue;
        for (Position shape : shapes(ranks / last, dimensions - 1)) {
            shape[dimensions - 1] = last;
            if (shape[dimensions - 2] > 1) all.push_back(shape);
        }
    }
    return all;
}

std::vector<RankGrid> grids(std::uint64_t ranks) {
    std::vector<RankGrid> all;
    for (std::size_t dimensions = 1; dimensions <= RankGrid::dimensions; ++dimensions)
        for (const Position& shape : shapes(static_cast<std::int64_t>(ranks), dimensions))
            for (unsigned wraps = 0; wraps < 1U << dimensions; ++wraps) {
                RankGrid& grid = all.emplace_back(RankGrid{.sizes = shape});
                for (std::size_t d = 0; d < dimensions; ++d) grid.wraps[d] = (wraps >> d & 1U) != 0;
            }
    return all;
}

/// How many ranks a dimension has to have if messages go `distance` far: some rank has all its
/// partners, and some rank is no partner of another.
std::int64_t needed(std::int64_t distance, bool wraps) {
    return distance == 0 ? 1 : 2 * distance + (wraps ? 2 : 1);
}

/// How far messages go; or the earliest one that goes too far.
std::optional<Irregular> measure(const RankGrid& grid, const std::vector<Partners>& partners,
                                 Reach& reach) {
    std::optional<Irregular> found;
    for (std::uint64_t rank = 0; rank < partners.size(); ++rank)
        for (const auto& [peer, record] : partners[rank].ranks) {
            const Position distance = grid.distance(rank, peer);
            for (std::size_t d = 0; d < RankGrid::dimensions; ++d) {
                const std::int64_t far = std::abs(distance[d]);
                reach[d] = std::max(reach[d], far);
                const std::int64_t least = needed(far, grid.wraps[d]);
                if (grid.sizes[d] >= least || (found && found->record <= record)) continue;
                found = {rank, record,
                         "its partner, rank " + std::to_string(peer) + ", is " +
                             std::to_string(far) + " away in a dimension of " +
                             std::to_string(grid.sizes[d]) + ", which has to have " +
                             std::to_string(least) + " ranks to show a pattern"};
            }
        }
    return found;
}

/// What of the communication of all ranks makes no sense in a grid: communicators of any ranks,
/// then how far apart partners are. Of all grids the one with the least is what was meant.
struct Misfit {
    std::optional<Irregular> communicator{};  ///< the first one
    std::uint64_t communicators = 0;
    std::int64_t distance = 0;

    [[nodiscard]] bool operator<(const Misfit& other) const {
        return std::tie(communicators, distance) < std::tie(other.communicators, other.distance);
    }
};

Misfit misfit(const RankGrid& grid, const std::vector<Partners>& partners) {
    Misfit found;
    for (std::uint64_t rank = 0; rank < partners.size(); ++rank) {
        for (const auto& [peer, record] : partners[rank].ranks)
            for (const std::int64_t distance : grid.distance(rank, peer))
                found.distance += std::abs(distance);
        for (const auto& [members, record] : partners[rank].communicators) {
            if (extent(grid, rank, members)) continue;
            if (found.communicators++ == 0)
                found.communicator = {rank, record, "its communicator is no row, column or plane"};
        }
    }
    return found;
}

/// If each rank has all others as partners, the record in which the first one has the last.
std::optional<Irregular> complete(const std::vector<Partners>& partners) {
    for (std::uint64_t rank = 0; rank < partners.size(); ++rank)
        if (partners[rank].ranks.size() - partners[rank].ranks.count(rank) + 1 < partners.size())
            return std::nullopt;
    Irregular last{.why = "with that, each rank has all others as partners"};
    for (const auto& [peer, record] : partners[0].ranks)
        last.record = std::max(last.record, record);
    return last;
}

std::string told(const Irregular& found, const std::string& where = "") {
    return "rank " + std::to_string(found.rank) + ", record " + std::to_string(found.record) +
           where + ": " + found.why;
}

}  // namespace

GrownGrid find_grid(const record::Recording& recording, std::uint64_t ranks) {
    const auto refuse = [&](const std::string& why) -> std::invalid_argument {
        return std::invalid_argument(recording.path() + ": it cannot be played with " +
                                     std::to_string(ranks) + " ranks: " + why);
    };
    if (recording.ranks() < 2) throw refuse("one rank alone shows no pattern");
    if (ranks == 0 || ranks % recording.ranks() != 0)
        throw refuse("that is no multiple of the recorded " + std::to_string(recording.ranks()));
    const auto known = partners(recording);
    if (const auto found = complete(known)) throw refuse(told(*found));
    std::string why;
    std::optional<Misfit> least;
    for (const RankGrid& grid : grids(recording.ranks())) {
        Reach reach{};
        auto found = measure(grid, known, reach);
        const Misfit misfits = misfit(grid, known);
        if (misfits.communicator) found = misfits.communicator;
        if (!found) found = unlike_rank(recording, grid, reach);
        if (!found) return {grid, reach, ranks};
        if (least && !(misfits < *least)) continue;
        least = misfits;
        why = told(*found, ", in a grid of " + grid.text());
    }
    throw refuse(why);
}

}  // namespace lapwing::replay

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lapwing/replay/overlap.hpp"

namespace lapwing::replay {

/// The call sites of a program, which each rank numbers as it comes to them.
struct CallSites {
    std::uint32_t count = 0;
    /// [rank][number in its records]
    std::vector<std::vector<std::uint32_t>> of_ranks{};

    /// The site of a record; `count` if it is not known.
    [[nodiscard]] std::uint32_t of(std::size_t rank, std::uint64_t number) const {
        if (rank >= of_ranks.size() || number >= of_ranks[rank].size()) return count;
        return of_ranks[rank][number];
    }
};

/// How a recorded program is played again.
struct Options {
    /// Whose algorithms its collectives take: see `CollectiveAlgorithms`.
    std::string library = "openmpi";
    /// For some operations, the algorithm to take instead.
    std::map<std::string, std::string> algorithms{};
    /// How often longer than recorded computation takes.
    double computation = 1;
    /// With how many ranks: of a grid of more ranks that each have the work of a recorded one
    /// (`find_grid`); 0: as many as were recorded.
    std::uint64_t ranks = 0;
    CallSites sites{};
    /// The call sites whose exchanges are overlapped, and how.
    std::map<std::uint32_t, Overlap> overlaps{};
};

}  // namespace lapwing::replay

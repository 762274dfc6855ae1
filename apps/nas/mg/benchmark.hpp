#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "../common/options.hpp"
#include "../common/program.hpp"
#include "kernels.hpp"
#include "levels.hpp"
#include "mg.hpp"
#include "problem.hpp"
#include "rank_grid.hpp"
#include "settings.hpp"

namespace lapwing::nas::mg {

/// MG as `nas::Run` runs it.
struct Benchmark {
    using Problem = mg::Problem;
    template <Transport T, class Computation>
    using Program = mg::Program<T, Computation>;

    static constexpr const char* name = "mg";
    static constexpr const auto& kernels = mg::kernels;
    static constexpr const auto& settings = mg::settings;

    [[nodiscard]] static Problem problem(std::string_view letter) { return find_problem(letter); }
    static void require_valid(const Problem& problem, const Options& options, int ranks) {
        (void)Levels(problem, RankGrid(0, ranks),
                     static_cast<std::size_t>(options.settings[agglomerate]));
    }
    /// The faces of all distributed levels, sent and received, and the parts that are gathered: at
    /// most four times the finest faces and a whole level.
    [[nodiscard]] static std::size_t capacity(const Problem& problem, const Options& options,
                                              int ranks) {
        const RankGrid grid(0, ranks);
        const auto side = problem.side + 2;
        const auto whole =
            std::max<std::size_t>(static_cast<std::size_t>(options.settings[agglomerate]),
                                  static_cast<std::size_t>(grid.longest()));
        std::size_t faces = 0;
        for (std::size_t axis = z; axis < axes; ++axis) {
            std::size_t points = 1;
            for (std::size_t other = z; other < axes; ++other)
                if (other != axis) points *= side / static_cast<std::size_t>(grid.ranks[other]) + 2;
            faces += 4 * points;
        }
        constexpr std::size_t rest = 1 << 16;  // sums, charges, and what alignment takes
        return sizeof(double) * (2 * faces + whole * whole * whole) +
               rest * static_cast<std::size_t>(ranks);
    }
    [[nodiscard]] static std::vector<Options> candidates(const Problem& problem, int ranks) {
        const RankGrid grid(0, ranks);
        std::vector<Options> all;
        for (const Schedule schedule : {Schedule::blocking, Schedule::overlapped})
            for (std::size_t side = 2; side < problem.side && side <= 64; side *= 2)
                if (side >= static_cast<std::size_t>(grid.longest()))
                    all.push_back(
                        {.schedule = schedule, .settings = {static_cast<std::int64_t>(side)}});
        if (all.empty()) all.push_back({.schedule = Schedule::blocking, .settings = {2}});
        return all;
    }
};

}  // namespace lapwing::nas::mg

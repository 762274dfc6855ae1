#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "../common/options.hpp"
#include "../common/program.hpp"
#include "cg.hpp"
#include "kernels.hpp"
#include "problem.hpp"
#include "rank_grid.hpp"
#include "settings.hpp"

namespace lapwing::nas::cg {

/// CG as `nas::Run` runs it.
struct Benchmark {
    using Problem = cg::Problem;
    template <Transport T, class Computation>
    using Program = cg::Program<T, Computation>;

    static constexpr const char* name = "cg";
    static constexpr const auto& kernels = cg::kernels;
    static constexpr const auto& settings = cg::settings;

    [[nodiscard]] static Problem problem(std::string_view letter) { return find_problem(letter); }
    static void require_valid(const Problem& problem, const Options& /*options*/, int ranks) {
        (void)RankGrid(problem, 0, ranks);
    }
    [[nodiscard]] static std::size_t capacity(const Problem& problem, const Options& options,
                                              int ranks);
    [[nodiscard]] static std::vector<Options> candidates(const Problem& problem, int ranks);
};

}  // namespace lapwing::nas::cg

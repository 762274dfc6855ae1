#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "computation.hpp"
#include "iterations.hpp"
#include "lapwing/forecast/forecast.hpp"
#include "options.hpp"
#include "program.hpp"
#include "result.hpp"

namespace lapwing::nas {

/// Predicts a run of benchmark `B`: records what every rank does and simulates it on the machine of
/// `profile`. `costs`: seconds that an element of each kernel takes.
template <Benchmark B>
[[nodiscard]] Forecast forecast_of(const Profile& profile, ForecastRanks ranks,
                                   const typename B::Problem& problem, const Options& options,
                                   std::span<const double> costs) {
    const auto seconds_of = [&](int iterations) {
        return forecast(profile, ranks, [&](RecordedRank& rank) {
            RecordedComputation computation(costs, rank);
            typename B::template Program<RecordedRank, RecordedComputation> program(
                rank, computation, problem, options);
            program.begin();
            for (int iteration = 0; iteration < iterations; ++iteration) program.iterate(iteration);
            program.end();
        });
    };
    return {options, seconds_of_iterations(problem.iterations, seconds_of)};
}

/// Predicts all candidates of benchmark `B`, fastest first. Of two that are equally fast, the
/// simpler one stands first.
template <Benchmark B>
[[nodiscard]] std::vector<Forecast> forecasts(const Profile& profile, ForecastRanks ranks,
                                              const typename B::Problem& problem,
                                              std::span<const double> costs) {
    std::vector<Forecast> all;
    for (const Options& options : B::candidates(problem, ranks.ranks))
        all.push_back(forecast_of<B>(profile, ranks, problem,
                                     completed<B>(options, problem, ranks.ranks), costs));
    std::stable_sort(all.begin(), all.end(),
                     [](const Forecast& a, const Forecast& b) { return a.seconds < b.seconds; });
    return all;
}

}  // namespace lapwing::nas

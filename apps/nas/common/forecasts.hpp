#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
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
/// `profile`. `costs`: seconds that an element of each kernel takes. A run that takes longer than
/// `most` seconds is not simulated to its end: its forecast is infinity.
template <Benchmark B>
[[nodiscard]] Forecast forecast_of(const Profile& profile, ForecastRanks ranks,
                                   const typename B::Problem& problem, const Options& options,
                                   std::span<const double> costs,
                                   double most = std::numeric_limits<double>::infinity()) {
    const auto seconds_of = [&](int iterations, double at_most) {
        const auto program = [&](RecordedRank& rank) {
            RecordedComputation computation(costs, rank);
            typename B::template Program<RecordedRank, RecordedComputation> recorded(
                rank, computation, problem, options);
            recorded.begin();
            for (int iteration = 0; iteration < iterations; ++iteration)
                recorded.iterate(iteration);
            recorded.end();
        };
        return forecast(profile, ranks, program, at_most);
    };
    return {options, seconds_of_iterations(problem.iterations, most, seconds_of)};
}

/// A candidate that is predicted to take so many times as long as another one is not the fastest.
inline constexpr double promising = 1.1;

/// Predicts the candidates of benchmark `B`, fastest first. Of two that are equally fast, the
/// simpler one stands first. Of each schedule, only those are returned that are not much slower
/// than its fastest: the others are not simulated to their end.
template <Benchmark B>
[[nodiscard]] std::vector<Forecast> forecasts(const Profile& profile, ForecastRanks ranks,
                                              const typename B::Problem& problem,
                                              std::span<const double> costs) {
    std::vector<Forecast> all;
    std::array<double, schedules.size()> fastest;
    fastest.fill(std::numeric_limits<double>::infinity());
    for (const Options& options : B::candidates(problem, ranks.ranks)) {
        double& least = fastest[static_cast<std::size_t>(options.schedule)];
        const Forecast found =
            forecast_of<B>(profile, ranks, problem, completed<B>(options, problem, ranks.ranks),
                           costs, promising * least);
        if (std::isinf(found.seconds)) continue;
        least = std::min(least, found.seconds);
        all.push_back(found);
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Forecast& a, const Forecast& b) { return a.seconds < b.seconds; });
    return all;
}

}  // namespace lapwing::nas

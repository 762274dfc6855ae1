#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "lapwing/calibrate/sampling/campaign.hpp"

namespace lapwing {

/// Samples the quantities of `series` in turn, as one campaign of `goal.budget` seconds, and
/// returns them; their samples are rank 0's. `sample(i)` is called by both ranks and returns one
/// sample of quantity `i` on rank 0. The short ones are sampled several times in a visit. `report`
/// is called with the share of the time spent.
template <Transport T>
std::vector<Series> sample_interleaved(TransportPair<T>& pair, std::vector<Series> series,
                                       const SamplingGoal& goal, NoiseCounts& noise,
                                       const std::function<void(double)>& report,
                                       const std::function<double(std::size_t)>& sample) {
    constexpr double visit = 2e-3;  // seconds
    constexpr int most = 16;        // samples of one
    std::vector<int> times(series.size(), 0);
    Campaign<T> campaign(pair, goal, goal.budget, noise, [&](double share, const std::string&) {
        if (report) report(share);
    });
    for (std::size_t i = 0; i < series.size(); ++i) {
        campaign.add("", {&series[i]}, [&, i] {
            const double start = pair.transport().now();
            series[i].add(sample(i));
            if (times[i] == 0) {
                const double took = pair.transport().now() - start;
                times[i] = static_cast<int>(pair.from_first(repetitions(took, visit, most)));
            }
            for (int k = 1; k < times[i]; ++k) series[i].add(sample(i));
        });
    }
    campaign.run();
    return series;
}

/// The median of each.
inline std::vector<double> medians(const std::vector<Series>& series) {
    std::vector<double> result;
    result.reserve(series.size());
    for (const auto& one : series) result.push_back(one.median());
    return result;
}

}  // namespace lapwing

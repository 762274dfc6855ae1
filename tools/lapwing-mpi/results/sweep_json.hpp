#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lapwing/plan/plan.hpp"
#include "lapwing/plan/workload.hpp"
#include "trials/grid_point.hpp"

namespace lapwing::tools {

/// A point of the grid and its measurements, in seconds.
struct TimedPoint {
    GridPoint point;
    std::vector<double> seconds;
    std::vector<double> communication;  ///< without computation

    [[nodiscard]] double quickest() const;
};

/// A plan and its measurements, in seconds.
struct TimedPlan {
    std::optional<Plan> plan;  ///< none if the workload cannot be planned
    std::vector<double> seconds;
};

/// What a sweep timed. Times are in seconds.
struct SweepTimes {
    double ratio = 0;  ///< computation over communication
    std::vector<double> blocking;
    std::vector<double> computation;  ///< alone
    std::vector<TimedPoint> points;   ///< none if only plans are timed
    std::size_t best = 0;             ///< the fastest point
    TimedPlan ours;
    TimedPlan paper;  ///< Iancu and Strohmaier's
};

/// The result of a sweep as sweep.schema.json says. `transport`: of all runs but our plan's.
[[nodiscard]] std::string sweep_json(const Workload& workload, const std::string& transport,
                                     const SweepTimes& times,
                                     const std::vector<std::string>& warnings);

}  // namespace lapwing::tools

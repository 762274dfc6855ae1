#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "lapwing/calibrate/statistics/estimate.hpp"

namespace lapwing::tools {

/// A time that was measured, as results have it: seconds, and the relative error.
inline nlohmann::ordered_json time_json(double seconds, double error) {
    return {{"seconds", seconds}, {"error", error}};
}
/// The same of several measurements, seconds.
inline nlohmann::ordered_json time_json(const std::vector<double>& samples) {
    const auto result = estimate(samples);
    return time_json(result.median, result.error);
}

}  // namespace lapwing::tools

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lapwing/predict/predict.hpp"

namespace lapwing {

/// Predictions for every number of ranks with every size, a row for each number of ranks.
struct PredictionGrid {
    std::vector<double> seconds;
    std::vector<std::string> names;            ///< algorithms that were predicted
    std::vector<std::uint8_t> algorithm;       ///< of each prediction, counted in `names`
    std::vector<PredictionModel> model;        ///< of each, never `automatic`
    std::vector<std::uint8_t> measured_range;  ///< of each, 0 or 1
};

/// `predict` for all of `ranks` and `sizes`, which take the places of those in `operation`. The
/// more predictions are asked for, the fewer messages those have that `automatic` leaves the
/// engine; `questions`: how many in all, if more than these. Many take all processors, on threads
/// that end before it returns. Throws as `predict`.
[[nodiscard]] PredictionGrid predict(const Profile& profile, const Operation& operation,
                                     std::span<const std::uint64_t> ranks,
                                     std::span<const std::uint64_t> sizes,
                                     PredictionModel model = PredictionModel::automatic,
                                     std::uint64_t questions = 0);

}  // namespace lapwing

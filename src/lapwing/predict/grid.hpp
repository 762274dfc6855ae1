#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lapwing/predict/predict.hpp"

namespace lapwing {

/// Predictions for every number of ranks with every size. Each vector has ranks x sizes entries,
/// row after row, a row for each number of ranks.
struct PredictionGrid {
    std::vector<double> seconds;
    // Nine of ten measured times lie between these multiples of `seconds`.
    double low = 1;
    double high = 1;
    std::vector<std::string> names;            ///< all algorithms of the operation
    std::vector<std::uint8_t> algorithm;       ///< the one predicted, as its place in `names`
    std::vector<PredictionModel> model;        ///< the one used, never `automatic`
    std::vector<std::uint8_t> measured_range;  ///< `Prediction::measured_range`, 0 or 1
};

/// Predicts `operation` for all of `ranks` with all of `sizes`, in place of its own. With
/// `automatic` the event engine simulates schedules up to a number of messages. The more
/// predictions are asked for, the lower it is; `questions` is their number if these are only some
/// of them. Many predictions are made on threads of all processors, which end before this returns.
/// Throws as `predict`.
[[nodiscard]] PredictionGrid predict(const Profile& profile, const Operation& operation,
                                     std::span<const std::uint64_t> ranks,
                                     std::span<const std::uint64_t> sizes,
                                     PredictionModel model = PredictionModel::automatic,
                                     std::uint64_t questions = 0);

}  // namespace lapwing

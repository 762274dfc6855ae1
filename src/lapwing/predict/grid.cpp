#include "lapwing/predict/grid.hpp"

#include <algorithm>

namespace lapwing {

PredictionGrid predict(const Profile& profile, const Operation& operation,
                       std::span<const std::uint64_t> ranks, std::span<const std::uint64_t> sizes,
                       PredictionMethod method) {
    PredictionGrid grid;
    grid.names = predicted_algorithms(operation.name);
    Operation each = operation;
    for (const auto count : ranks) {
        each.ranks = count;
        for (const auto size : sizes) {
            each.size = size;
            const Prediction made = predict(profile, each, method);
            grid.seconds.push_back(made.seconds);
            const auto found = std::find(grid.names.begin(), grid.names.end(), made.algorithm);
            grid.algorithm.push_back(static_cast<std::uint8_t>(found - grid.names.begin()));
            grid.method.push_back(made.method);
            grid.measured_range.push_back(made.measured_range ? 1 : 0);
        }
    }
    return grid;
}

}  // namespace lapwing

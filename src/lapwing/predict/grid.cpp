#include "lapwing/predict/grid.hpp"

#include <algorithm>

#include "lapwing/predict/predictor.hpp"

namespace lapwing {

PredictionGrid predict(const Profile& profile, const Operation& operation,
                       std::span<const std::uint64_t> ranks, std::span<const std::uint64_t> sizes,
                       PredictionModel model, std::uint64_t questions) {
    const std::size_t count = ranks.size() * sizes.size();
    Predictor predictor(profile, operation, model);
    predictor.expect(ranks, sizes, std::max<std::uint64_t>(questions, count));
    PredictionGrid grid;
    grid.names = predicted_algorithms(operation.name);
    grid.seconds.reserve(count);
    grid.algorithm.reserve(count);
    grid.model.reserve(count);
    grid.measured_range.reserve(count);
    for (const auto each : ranks) {
        for (const auto size : sizes) {
            const auto answer = predictor(each, size);
            grid.seconds.push_back(answer.seconds);
            grid.algorithm.push_back(answer.algorithm);
            grid.model.push_back(answer.model);
            grid.measured_range.push_back(answer.measured_range ? 1 : 0);
        }
    }
    return grid;
}

}  // namespace lapwing

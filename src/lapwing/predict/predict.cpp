#include "lapwing/predict/predict.hpp"

#include "lapwing/predict/predictor.hpp"
#include "lapwing/simulate/collectives/make_collective.hpp"

namespace lapwing {

std::vector<std::string> predicted_operations() {
    auto names = simulate::collective_operations();
    names.insert(names.begin(), "send");
    return names;
}

std::vector<std::string> predicted_algorithms(std::string_view operation) {
    if (operation == "send") return {"direct"};
    return simulate::collective_algorithms(operation);
}

Prediction predict(const Profile& profile, const Operation& operation, PredictionModel model) {
    const Predictor predictor(profile, operation, model);
    const auto answer = predictor(operation.ranks, operation.size);
    const Interval interval = interval_of(profile, operation.name);
    return {.seconds = answer.seconds,
            .low = answer.seconds * interval.low,
            .high = answer.seconds * interval.high,
            .algorithm = predictor.algorithms()[answer.algorithm]->name,
            .model = answer.model,
            .measured_range = answer.measured_range};
}

}  // namespace lapwing

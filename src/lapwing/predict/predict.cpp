#include "lapwing/predict/predict.hpp"

#include <stdexcept>

#include "lapwing/simulate/collectives/make_collective.hpp"
#include "lapwing/simulate/simulate.hpp"

namespace lapwing {
namespace {

constexpr std::uint64_t most_ranks = std::uint64_t{1} << 26U;

double play(const Profile& profile, const Operation& operation, const std::string& algorithm) {
    const simulate::Measured machine(profile,
                                     static_cast<simulate::Rank>(operation.ranks_per_node));
    const bool send = operation.name == "send";
    const auto collective =
        simulate::make_collective({.operation = send ? "bcast" : operation.name,
                                   .algorithm = send ? "linear" : algorithm,
                                   .ranks = static_cast<simulate::Rank>(operation.ranks),
                                   .size = operation.size});
    const auto finish = simulate::simulate(*collective, machine).finish;
    return static_cast<double>(finish) / (1e9 * simulate::Measured::nanosecond);
}

}  // namespace

std::vector<std::string> predicted_operations() {
    auto names = simulate::collective_operations();
    names.insert(names.begin(), "send");
    return names;
}

std::vector<std::string> predicted_algorithms(std::string_view operation) {
    if (operation == "send") return {"direct"};
    return simulate::collective_algorithms(operation);
}

Prediction predict(const Profile& profile, const Operation& operation,
                   PredictionMethod /*method*/) {
    if (operation.ranks < 1 || operation.ranks > most_ranks)
        throw std::invalid_argument("ranks must be from 1 to " + std::to_string(most_ranks));
    if (operation.name == "send" && operation.ranks != 2)
        throw std::invalid_argument("a send has two ranks");
    Prediction result;
    result.method = PredictionMethod::engine;
    for (const auto& algorithm : predicted_algorithms(operation.name)) {
        if (operation.algorithm != "best" && operation.algorithm != algorithm) continue;
        const double seconds = play(profile, operation, algorithm);
        if (!result.algorithm.empty() && result.seconds <= seconds) continue;
        result.seconds = seconds;
        result.algorithm = algorithm;
    }
    if (result.algorithm.empty())
        throw std::invalid_argument("unknown algorithm for " + operation.name + ": " +
                                    operation.algorithm);
    return result;
}

}  // namespace lapwing

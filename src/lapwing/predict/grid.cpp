#include "lapwing/predict/grid.hpp"

#include <algorithm>
#include <exception>
#include <thread>

#include "lapwing/predict/predictor.hpp"

namespace lapwing {
namespace {

/// So many predictions take as long as some hundred threads take to start.
constexpr std::size_t worth_a_thread = 20000;

/// Cuts `count` questions into as many parts as there are processors and questions enough, and
/// calls `part(from, to)` for each, all at once. Throws what the first of them has thrown.
template <class Part>
void in_parts(std::size_t count, const Part& part) {
    const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t parts = std::clamp<std::size_t>(count / worth_a_thread, 1, processors);
    std::vector<std::exception_ptr> thrown(parts);
    const auto run = [&](std::size_t i) {
        try {
            part(count * i / parts, count * (i + 1) / parts);
        } catch (...) {
            thrown[i] = std::current_exception();
        }
    };
    std::vector<std::jthread> others;
    others.reserve(parts);
    for (std::size_t i = 1; i < parts; ++i) others.emplace_back(run, i);
    run(0);
    others.clear();
    for (const auto& each : thrown)
        if (each) std::rethrow_exception(each);
}

}  // namespace

PredictionGrid predict(const Profile& profile, const Operation& operation,
                       std::span<const std::uint64_t> ranks, std::span<const std::uint64_t> sizes,
                       PredictionModel model, std::uint64_t questions) {
    const std::size_t count = ranks.size() * sizes.size();
    Predictor asked(profile, operation, model);
    asked.expect(ranks, sizes, std::max<std::uint64_t>(questions, count));
    PredictionGrid grid;
    grid.names = predicted_algorithms(operation.name);
    grid.seconds.resize(count);
    grid.algorithm.resize(count);
    grid.model.resize(count);
    grid.measured_range.resize(count);
    in_parts(count, [&](std::size_t from, std::size_t to) {
        // Its own: it remembers the sizes it was asked for.
        const Predictor predictor = asked;  // NOLINT(performance-unnecessary-copy-initialization)
        Predictor::Answer answer;
        for (std::size_t i = from; i < to; ++i) {
            // What is best of one size is likely to be so of the next.
            answer = predictor(ranks[i / sizes.size()], sizes[i % sizes.size()], answer.algorithm);
            grid.seconds[i] = answer.seconds;
            grid.algorithm[i] = answer.algorithm;
            grid.model[i] = answer.model;
            grid.measured_range[i] = answer.measured_range ? 1 : 0;
        }
    });
    return grid;
}

}  // namespace lapwing

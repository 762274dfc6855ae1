#include "lapwing/predict/grid.hpp"

#include <algorithm>
#include <exception>
#include <thread>

#include "lapwing/predict/predictor.hpp"

namespace lapwing {
namespace {

/// The fewest predictions for which a thread is started: they take hundreds of times as long as the
/// start does.
constexpr std::size_t predictions_per_thread = 20000;

/// Splits `count` predictions into parts, one for each processor if there are enough of them, and
/// calls `part(from, to)` for each on a thread of its own. Rethrows the exception of the first part
/// that threw one.
template <class Part>
void in_parts(std::size_t count, const Part& part) {
    const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t parts =
        std::clamp<std::size_t>(count / predictions_per_thread, 1, processors);
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
    const Interval interval = interval_of(profile, operation.name);
    grid.low = interval.low;
    grid.high = interval.high;
    grid.seconds.resize(count);
    grid.algorithm.resize(count);
    grid.model.resize(count);
    grid.measured_range.resize(count);
    in_parts(count, [&](std::size_t from, std::size_t to) {
        // A copy for each thread: a predictor caches the sizes it was asked for.
        const Predictor predictor = asked;  // NOLINT(performance-unnecessary-copy-initialization)
        Predictor::Answer answer;
        for (std::size_t i = from; i < to; ++i) {
            // The best algorithm for one size is likely to be the best for the next.
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

#include "lapwing/predict/predictor.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "lapwing/predict/network.hpp"
#include "lapwing/predict/printed.hpp"
#include "lapwing/predict/selection.hpp"
#include "lapwing/simulate/collectives/make_collective.hpp"
#include "lapwing/simulate/collectives/unknown_name.hpp"
#include "lapwing/simulate/simulate.hpp"

namespace lapwing {
namespace {

constexpr std::uint64_t most_predicted_ranks = std::uint64_t{1} << 26U;
constexpr std::uint64_t most_predicted_bytes = std::uint64_t{1} << 36U;
// With `automatic` the engine simulates at most this many messages for one prediction, which takes
// some tenths of a second: an all-to-all of 256 ranks, or an allreduce round their ring.
constexpr double most_messages_once = 2 * 65536;
// At most this many for all predictions of a grid, which takes seconds.
constexpr double most_messages_in_all = 8e6;
// A grid of more predictions than this uses closed forms alone, and local work at powers of two.
constexpr std::uint64_t most_questions = 10000;

void require(const char* what, std::uint64_t value, std::uint64_t least, std::uint64_t most) {
    if (value < least || value > most)
        throw std::invalid_argument(std::string(what) + " must be from " + std::to_string(least) +
                                    " to " + std::to_string(most));
}

/// Throws `std::invalid_argument` if the operation is unknown or its members contradict each other.
void check(const Operation& operation) {
    const auto operations = predicted_operations();
    if (std::find(operations.begin(), operations.end(), operation.name) == operations.end())
        simulate::throw_unknown_name("operation", operation.name, operations);
    require("ranks per node", operation.ranks_per_node, 1, most_predicted_ranks);
    if (operation.stride) require("a stride", *operation.stride, 1, most_predicted_bytes);
    if (operation.stride && operation.name == "barrier")
        throw std::invalid_argument("a barrier has no data that could be strided");
    if (operation.packed && !operation.stride)
        throw std::invalid_argument("data without a stride needs no packing");
}

bool is_library(const std::string& name) {
    const auto& all = selections();
    return std::find(all.begin(), all.end(), name) != all.end();
}

/// The largest size, bytes, that all tables of message costs have; the largest number if there are
/// no tables.
std::uint64_t largest_measured(const Profile& profile, const Operation& operation) {
    std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
    const auto bound = [&](const std::vector<std::uint64_t>& sizes) {
        if (!sizes.empty()) largest = std::min(largest, sizes.back());
    };
    bound(profile.overhead.sizes);
    bound(profile.bandwidth.sizes);
    if (profile.latency) bound(profile.latency->sizes);
    if (operation.ranks_per_node > 1)
        for (const auto& pair : profile.pairs)
            if (pair.name == "within a node") bound(pair.sizes);
    if (!operation.stride || !profile.log3p) return largest;
    bound(profile.log3p->sizes);
    const auto& strides = profile.log3p->strides;
    return strides.empty() || *operation.stride > strides.back() ? 0 : largest;
}

}  // namespace

Predictor::Predictor(const Profile& profile, const Operation& operation, PredictionModel model)
    : profile_(profile), operation_(operation), model_(model), most_messages_(most_messages_once) {
    check(operation);
    find_algorithms();
    measured_to_ = largest_measured(profile, operation);
    // Messages shorter than the tables cost as much as the shortest, but not if they are strided.
    if (operation.stride && profile.log3p && !profile.log3p->sizes.empty())
        measured_from_ = profile.log3p->sizes.front();
    if (model != PredictionModel::printed) derive_costs();
}

void Predictor::find_algorithms() {
    auto names = predicted_algorithms(operation_.name);
    for (const auto& name : names) algorithms_.push_back(find_algorithm(operation_.name, name));
    if (is_library(operation_.algorithm)) return;
    const bool best = operation_.algorithm == "best";
    const auto is_candidate = [&](const std::string& name) {
        if (!best) return operation_.algorithm == name;
        return model_ != PredictionModel::printed ||
               is_printed(operation_.name, name, operation_.stride.has_value());
    };
    for (std::size_t i = 0; i < names.size(); ++i)
        if (is_candidate(names[i])) candidates_.push_back(static_cast<std::uint8_t>(i));
    if (!candidates_.empty()) return;
    if (best)
        throw std::invalid_argument("no paper prints a formula for " + operation_.name +
                                    ": leave out --model printed");
    names.emplace_back("best");
    names.insert(names.end(), selections().begin(), selections().end());
    simulate::throw_unknown_name("algorithm for " + operation_.name, operation_.algorithm, names);
}

void Predictor::derive_costs() {
    // Data that is packed by hand travels as contiguous data.
    const auto stride = operation_.packed ? std::nullopt : operation_.stride;
    network_ = measured_network(profile_, operation_.ranks_per_node, stride);
    machine_.emplace(profile_,
                     simulate::MeasuredMachine::Options{
                         .ranks_per_node = static_cast<simulate::Rank>(operation_.ranks_per_node),
                         .topology = {},
                         .stride = stride});
    time_.emplace(profile_, operation_, *machine_);
}

void Predictor::expect(std::span<const std::uint64_t> ranks, std::span<const std::uint64_t> sizes,
                       std::uint64_t questions) {
    if (time_ && questions > most_questions) time_->expect_many();
    if (model_ != PredictionModel::automatic) return;
    most_messages_ = 0;
    if (questions > most_questions) return;
    std::vector<double> counts;
    const auto add = [&](const Algorithm& algorithm, std::uint64_t count, std::uint64_t size) {
        const double messages = algorithm.messages(count, size);
        if (messages <= most_messages_once) counts.push_back(messages);
    };
    for (const auto count : ranks) {
        if (count == 0) continue;
        for (const auto size : sizes) {
            for (const auto each : candidates_) add(*algorithms_[each], count, size);
            if (candidates_.empty()) add(*algorithms_[chosen(count, size)], count, size);
        }
    }
    std::sort(counts.begin(), counts.end());
    const double asked = static_cast<double>(ranks.size()) * static_cast<double>(sizes.size());
    double left = most_messages_in_all * asked / static_cast<double>(questions);
    // Predictions of equally many messages are all simulated, or none of them.
    for (std::size_t i = 0, next = 0; i < counts.size(); i = next) {
        while (next < counts.size() && counts[next] == counts[i]) ++next;
        left -= static_cast<double>(next - i) * counts[i];
        if (left < 0) break;
        most_messages_ = counts[i];
    }
}

PredictionModel Predictor::used(const Algorithm& algorithm, std::uint64_t ranks,
                                std::uint64_t size) const {
    if (model_ != PredictionModel::automatic) return model_;
    return most_messages_ > 0 && algorithm.messages(ranks, size) <= most_messages_
               ? PredictionModel::engine
               : PredictionModel::model;
}

double Predictor::simulated(const Algorithm& algorithm, std::uint64_t ranks,
                            std::uint64_t size) const {
    const bool send = operation_.name == "send";
    const auto collective =
        simulate::make_collective({.operation = send ? "bcast" : operation_.name,
                                   .algorithm = send ? "linear" : algorithm.name,
                                   .ranks = static_cast<simulate::Rank>(ranks),
                                   .size = size});
    return simulate::MeasuredMachine::seconds(simulate::simulate(*collective, *machine_).finish);
}

double Predictor::seconds(const Algorithm& algorithm, std::uint64_t ranks, std::uint64_t size,
                          double cutoff) const {
    const auto model = used(algorithm, ranks, size);
    if (model == PredictionModel::printed)
        return printed(profile_, operation_.name, algorithm.name, ranks, size, operation_.stride);
    const TimeTerms terms = time_->terms(algorithm, ranks, size);
    if (model == PredictionModel::engine) return terms.seconds(simulated(algorithm, ranks, size));
    if (ranks < 2) return terms.seconds(0);
    return terms.seconds(
        algorithm.seconds(network_, ranks, size, cutoff / terms.factor - terms.more));
}

std::uint8_t Predictor::chosen(std::uint64_t ranks, std::uint64_t size) const {
    const auto name = selected(operation_.algorithm, operation_.name, ranks, size);
    const auto found = std::find_if(algorithms_.begin(), algorithms_.end(),
                                    [&](const Algorithm* each) { return each->name == name; });
    return static_cast<std::uint8_t>(found - algorithms_.begin());
}

Predictor::Answer Predictor::operator()(std::uint64_t ranks, std::uint64_t size,
                                        std::uint8_t first) const {
    if (algorithms_.size() == 1 && ranks != 2 && operation_.name == "send")
        throw std::invalid_argument("a send has two ranks, not " + std::to_string(ranks));
    require("ranks", ranks, 1, most_predicted_ranks);
    require("a size", size, 0, most_predicted_bytes);
    if (candidates_.empty()) {
        first = chosen(ranks, size);
    } else if (std::find(candidates_.begin(), candidates_.end(), first) == candidates_.end()) {
        first = candidates_.front();
    }
    std::uint8_t best = first;
    double least = seconds(*algorithms_[first], ranks, size, model::any_time);
    for (const std::uint8_t each : candidates_) {
        if (each == first) continue;
        const double other = seconds(*algorithms_[each], ranks, size, least);
        // Of two that are equally fast, the first.
        if (other > least || (other == least && each > best)) continue;
        best = each;
        least = other;
    }
    const Algorithm& algorithm = *algorithms_[best];
    return {
        .seconds = least,
        .algorithm = best,
        .model = used(algorithm, ranks, size),
        .measured_range = size >= measured_from_ && algorithm.largest(ranks, size) <= measured_to_};
}

}  // namespace lapwing

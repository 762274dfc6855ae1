#include "lapwing/simulate/program/graph_writer.hpp"

#include <cmath>

namespace lapwing::simulate {

namespace {

Node message(Operation operation, std::uint64_t peer, std::uint64_t tag, std::uint64_t size) {
    return {.operation = operation,
            .peer = static_cast<std::uint32_t>(peer),
            .tag = static_cast<std::uint32_t>(tag),
            .size = size};
}

}  // namespace

void GraphWriter::begin_rank() {
    after_.clear();
    graph_.ranks.push_back({static_cast<std::uint32_t>(graph_.nodes.size()), 0});
}

GraphWriter::Transfer GraphWriter::send(std::uint64_t peer, std::uint64_t tag, std::uint64_t size) {
    return {start(message(Operation::send, peer, tag, size)), 0};
}

GraphWriter::Transfer GraphWriter::receive(std::uint64_t peer, std::uint64_t tag,
                                           std::uint64_t size) {
    constexpr auto tick = MeasuredMachine::nanosecond;
    const auto rank = static_cast<Rank>(graph_.ranks.size() - 1);
    const auto cost = costs_.cost(static_cast<Rank>(peer), rank, size);
    const auto overhead = static_cast<std::uint64_t>((cost.receive + tick / 2) / tick);
    if (pulled_) calculate(overhead);
    return {start(message(Operation::receive, peer, tag, size)), pulled_ ? 0 : overhead};
}

void GraphWriter::compute(double seconds) {
    calculate(static_cast<std::uint64_t>(std::llround(seconds * 1e9)));
}

void GraphWriter::calculate(std::uint64_t ticks) {
    if (ticks == 0) return;
    after_ = {{add({.operation = Operation::calculation, .size = ticks}), false}};
}

void GraphWriter::await(std::span<const Transfer> transfers) {
    const std::size_t before = after_.size();
    bool charged = false;
    for (const auto& [node, receive_overhead] : transfers) {
        after_.emplace_back(receive_overhead == 0 ? node : charge(node, receive_overhead, before),
                            false);
        charged = charged || receive_overhead > 0;
    }
    // Receive overheads already wait for all that was awaited before.
    if (charged) after_.erase(after_.begin(), after_.begin() + static_cast<std::ptrdiff_t>(before));
}

/// Adds an operation after which the next one follows as soon as it has started.
std::uint32_t GraphWriter::start(const Node& node) {
    const auto number = add(node);
    after_ = {{number, true}};
    return number;
}

/// Adds a receive overhead that waits for `node` and for the first `before` of `after_`.
std::uint32_t GraphWriter::charge(std::uint32_t node, std::uint64_t ticks, std::size_t before) {
    const auto number =
        append({.operation = Operation::calculation, .is_receive_overhead = true, .size = ticks});
    for (std::size_t i = 0; i < before; ++i) require(number, after_[i]);
    require(number, {node, false});
    return number;
}

/// Adds an operation that waits for all of `after_`.
std::uint32_t GraphWriter::add(const Node& node) {
    const auto number = append(node);
    for (const Awaited& each : after_) require(number, each);
    return number;
}

std::uint32_t GraphWriter::append(const Node& node) {
    const auto number = static_cast<std::uint32_t>(graph_.nodes.size());
    graph_.nodes.push_back(node);
    ++graph_.ranks.back().count;
    return number;
}

void GraphWriter::require(std::uint32_t number, const Awaited& awaited) {
    graph_.requirements.push_back({number, awaited.first, awaited.second});
}

}  // namespace lapwing::simulate

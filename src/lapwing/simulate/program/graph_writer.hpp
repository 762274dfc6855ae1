#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lapwing/simulate/costs/measured_machine.hpp"
#include "lapwing/simulate/program/graph.hpp"

namespace lapwing::simulate {

/// Writes what an MPI program does into a `Graph`, one rank after another: non-blocking sends and
/// receives, computations, and waits. The receive overhead of a message is a calculation when the
/// message is awaited, for a machine that does not charge it itself
/// (`MeasuredMachine::Options::charge_receive_overhead`). Calculations are whole nanoseconds.
class GraphWriter {
  public:
    /// `costs`: what messages cost; must outlive the writer.
    GraphWriter(Graph& graph, const MeasuredMachine& costs) : graph_(graph), costs_(costs) {}

    /// All that follows is what the next rank does.
    void begin_rank() {
        after_.clear();
        graph_.ranks.push_back({static_cast<std::uint32_t>(graph_.nodes.size()), 0});
    }
    /// A send or a receive that has been started.
    struct Transfer {
        std::uint32_t node = 0;              ///< its operation
        std::uint64_t receive_overhead = 0;  ///< nanoseconds, when it is awaited
    };
    /// Starts to send `size` bytes. The next operation follows at once, as it does a receive.
    Transfer send(std::uint64_t peer, std::uint64_t tag, std::uint64_t size) {
        return {started(Operation::send, peer, tag, size), 0};
    }
    Transfer receive(std::uint64_t peer, std::uint64_t tag, std::uint64_t size) {
        constexpr auto tick = MeasuredMachine::nanosecond;
        const auto rank = static_cast<Rank>(graph_.ranks.size() - 1);
        const auto cost = costs_.cost(static_cast<Rank>(peer), rank, size);
        return {started(Operation::receive, peer, tag, size),
                static_cast<std::uint64_t>((cost.receive + tick / 2) / tick)};
    }
    /// Computes, and the next operation waits until that has ended.
    void compute(double seconds) {
        const auto ticks = static_cast<std::uint64_t>(std::llround(seconds * 1e9));
        if (ticks == 0) return;
        after_ = {{add({.operation = Operation::calculation, .size = ticks}), false}};
    }
    /// The next operation waits until these have ended, each followed by its receive overhead.
    void await(std::span<const Transfer> transfers) {
        const std::size_t before = after_.size();
        bool charged = false;
        for (const auto& [node, receive_overhead] : transfers) {
            after_.emplace_back(
                receive_overhead == 0 ? node : charge(node, receive_overhead, before), false);
            charged = charged || receive_overhead > 0;
        }
        // Receive overheads already wait for all that was awaited before.
        if (charged)
            after_.erase(after_.begin(), after_.begin() + static_cast<std::ptrdiff_t>(before));
    }
    void await(const Transfer& transfer) { await(std::span(&transfer, 1)); }

  private:
    /// An operation, and whether its start is awaited rather than its end.
    using Awaited = std::pair<std::uint32_t, bool>;

    std::uint32_t started(Operation operation, std::uint64_t peer, std::uint64_t tag,
                          std::uint64_t size) {
        const auto node = add({.operation = operation,
                               .peer = static_cast<std::uint32_t>(peer),
                               .tag = static_cast<std::uint32_t>(tag),
                               .size = size});
        after_ = {{node, true}};
        return node;
    }
    /// Adds a receive overhead that waits for `node` and for the first `before` of `after_`.
    std::uint32_t charge(std::uint32_t node, std::uint64_t ticks, std::size_t before) {
        const auto number = append(
            {.operation = Operation::calculation, .is_receive_overhead = true, .size = ticks});
        for (std::size_t i = 0; i < before; ++i) require(number, after_[i]);
        require(number, {node, false});
        return number;
    }
    std::uint32_t add(const Node& node) {
        const auto number = append(node);
        for (const Awaited& each : after_) require(number, each);
        return number;
    }
    std::uint32_t append(const Node& node) {
        const auto number = static_cast<std::uint32_t>(graph_.nodes.size());
        graph_.nodes.push_back(node);
        ++graph_.ranks.back().count;
        return number;
    }
    void require(std::uint32_t number, const Awaited& awaited) {
        graph_.requirements.push_back({number, awaited.first, awaited.second});
    }

    Graph& graph_;
    const MeasuredMachine& costs_;
    std::vector<Awaited> after_;  ///< what the next operation waits for
};

}  // namespace lapwing::simulate

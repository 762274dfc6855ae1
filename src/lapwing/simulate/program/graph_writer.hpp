#pragma once

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
    /// `costs`: what messages cost. It and `graph` must outlive the writer. `pulled`: the receive
    /// overhead is a calculation before the receive is started.
    GraphWriter(Graph& graph, const MeasuredMachine& costs, bool pulled = false)
        : graph_(graph), costs_(costs), pulled_(pulled) {}

    /// All that follows belongs to the next rank.
    void begin_rank();

    /// A send or a receive that has been started.
    struct Transfer {
        std::uint32_t node = 0;              ///< its operation
        std::uint64_t receive_overhead = 0;  ///< nanoseconds, when it is awaited
    };
    /// Starts to send or to receive `size` bytes. The next operation follows at once.
    Transfer send(std::uint64_t peer, std::uint64_t tag, std::uint64_t size);
    Transfer receive(std::uint64_t peer, std::uint64_t tag, std::uint64_t size);
    /// Computes. The next operation waits until that has ended.
    void compute(double seconds);
    /// The next operation waits until these have ended, each followed by its receive overhead.
    void await(std::span<const Transfer> transfers);
    void await(const Transfer& transfer) { await(std::span(&transfer, 1)); }

  private:
    /// An operation, and whether its start is awaited rather than its end.
    using Awaited = std::pair<std::uint32_t, bool>;

    void calculate(std::uint64_t ticks);
    std::uint32_t start(const Node& node);
    std::uint32_t charge(std::uint32_t node, std::uint64_t ticks, std::size_t before);
    std::uint32_t add(const Node& node);
    std::uint32_t append(const Node& node);
    void require(std::uint32_t number, const Awaited& awaited);

    Graph& graph_;
    const MeasuredMachine& costs_;
    bool pulled_;
    std::vector<Awaited> after_;  ///< what the next operation waits for
};

}  // namespace lapwing::simulate

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/simulate/engine/event.hpp"
#include "lapwing/simulate/engine/wait_queue.hpp"
#include "lapwing/simulate/program/graph.hpp"
#include "lapwing/simulate/program/graph_matching.hpp"

namespace lapwing::simulate {

/// The program of a `Machine` that runs a `Graph`.
class GraphProgram {
  public:
    /// Throws `std::runtime_error` if an operation names a rank that does not exist.
    explicit GraphProgram(const Graph& graph);

    // What a machine asks and tells: see `Machine`.

    template <class M>
    void begin(M& machine) {
        for (Rank rank = 0; rank < graph_.ranks.size(); ++rank) {
            const auto [first, count] = graph_.ranks[rank];
            for (std::uint32_t i = first; i < first + count; ++i)
                if (waiting_for_[i] == 0) ready_.push_back({rank, i});
            become_ready(machine);
        }
    }

    struct Message {
        Rank to;
        std::uint64_t bytes;
        std::uint32_t key;
    };

    [[nodiscard]] std::size_t pair_of(std::uint32_t node) const { return graph_.nodes[node].pair; }
    [[nodiscard]] Message send(Rank, std::uint32_t node, std::uint32_t) const {
        return {graph_.nodes[node].peer, graph_.nodes[node].size, matching_.channel(node)};
    }
    void send_started(Rank host, std::uint32_t node) { started(host, node); }
    template <class M>
    void sent(M& machine, Rank host, std::uint32_t node, bool eager) {
        if (eager) ended(host, node);
        become_ready(machine);
    }
    [[nodiscard]] Time calculation(Rank, std::uint32_t node) const {
        return static_cast<Time>(graph_.nodes[node].size);
    }
    [[nodiscard]] bool is_receive_overhead(std::uint32_t node) const {
        return graph_.nodes[node].is_receive_overhead;
    }
    template <class M>
    void calculated(M& machine, Rank host, std::uint32_t node) {
        started(host, node);
        ended(host, node);
        become_ready(machine);
    }

    template <class M>
    void arrived(M& machine, Rank host, const Pending& message) {
        const std::uint32_t receive = matching_.arrived(host, message);
        if (receive == GraphMatching::none) return;
        if constexpr (M::on_links) return meet(machine, host, message, receive);
        if (machine.rendezvous(message.peer, host, message.size)) {
            machine.released(message.peer, pair_of(message.id));
            ended(message.peer, message.id);
        }
        ended(host, receive);
        become_ready(machine);
    }

    template <class M>
    void receive(M& machine, const Event& event) {
        started(event.host, event.id);
        Pending message;
        if (matching_.posted(event.host, event.id, message)) {
            const Rank from = rank_of_[message.id];
            if constexpr (M::on_links) {
                message.place = event.place();
                message.size = graph_.nodes[message.id].size;
                message.peer = from;
                message.unexpected = true;
                meet(machine, event.host, message, event.id);
                become_ready(machine);
                return;
            }
            if (machine.rendezvous(from, event.host, graph_.nodes[message.id].size)) {
                // As in LogGOPSim: the sender's processor and interface with the receive's numbers.
                machine.released(from, pair_of(event.id));
                ended(from, message.id);
            }
            ended(event.host, event.id);
        }
        become_ready(machine);
    }

    template <class M>
    void delivered(M& machine, Rank host, const Pending& message) {
        machine.receive_when_free(host, pair_of(message.id), message);
    }
    template <class M>
    void received(M& machine, Rank host, const Pending& message) {
        ended(host, message.key);
        become_ready(machine);
    }
    template <class M>
    void send_over(M& machine, Rank host, std::uint32_t node) {
        ended(host, node);
        become_ready(machine);
    }

    /// Also throws if a message was not received.
    void check_ended() const;

  private:
    struct Ready {
        Rank rank;
        std::uint32_t node;
    };

    [[nodiscard]] Ready in_circle() const;

    /// On links, a message is matched. From here on its key is its receive instead of its channel.
    template <class M>
    static void meet(M& machine, Rank host, Pending message, std::uint32_t receive) {
        message.key = receive;
        machine.met(host, message);
    }

    void started(Rank rank, std::uint32_t node) { count_down(rank, started_, node); }
    void ended(Rank rank, std::uint32_t node) {
        ended_nodes_[node] = true;
        count_down(rank, ended_, node);
    }

    /// For each operation, those that wait for it, in the order of the schedule.
    struct Waiters {
        std::vector<std::uint32_t> first;  ///< [node], one more at the end
        std::vector<std::uint32_t> nodes;
    };
    static Waiters waiters(const Graph& graph, bool started);
    void count_down(Rank rank, const Waiters& waiters, std::uint32_t node) {
        if (waiters.nodes.empty()) return;
        for (std::uint32_t i = waiters.first[node]; i < waiters.first[node + 1]; ++i)
            if (--waiting_for_[waiters.nodes[i]] == 0) ready_.push_back({rank, waiters.nodes[i]});
    }

    /// Tells the machine which operations are ready: by rank, then by kind.
    template <class M>
    void become_ready(M& machine) {
        if (ready_.empty()) return;
        if (ready_.size() == 1) {
            tell(machine, ready_.front());
            ready_.clear();
            return;
        }
        std::stable_sort(ready_.begin(), ready_.end(),
                         [](const Ready& a, const Ready& b) { return a.rank < b.rank; });
        for (auto first = ready_.begin(); first != ready_.end();) {
            const auto last = std::find_if(
                first, ready_.end(), [&](const Ready& ready) { return ready.rank != first->rank; });
            std::sort(first, last, [&](const Ready& a, const Ready& b) {
                return graph_.nodes[a.node].operation < graph_.nodes[b.node].operation;
            });
            first = last;
        }
        for (const auto& ready : ready_) tell(machine, ready);
        ready_.clear();
    }

    template <class M>
    void tell(M& machine, const Ready& ready) {
        const Node& node = graph_.nodes[ready.node];
        const std::uint64_t place = machine.places(1);
        switch (node.operation) {
            case Operation::send:
                machine.ready_sends(ready.rank, ready.node, 0, 1, node.pair, place);
                break;
            case Operation::receive:
                machine.count_receives(1);
                machine.ready_receive(ready.rank, ready.node, node.pair, place);
                break;
            case Operation::calculation:
                machine.ready_calculation(ready.rank, ready.node, node.pair, place);
                break;
        }
    }

    const Graph& graph_;
    GraphMatching matching_;
    Waiters started_;
    Waiters ended_;
    std::vector<std::uint32_t> waiting_for_;  ///< number of operations it waits for [node]
    std::vector<bool> ended_nodes_;
    std::vector<Rank> rank_of_;  ///< [node]
    std::vector<Ready> ready_;
};

}  // namespace lapwing::simulate

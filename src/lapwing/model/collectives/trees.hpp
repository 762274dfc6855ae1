#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "lapwing/model/collectives/rounds.hpp"
#include "lapwing/model/collectives/shared.hpp"
#include "lapwing/model/network.hpp"

namespace lapwing::model {

/// Costs of messages, of which many in a row have the same size.
class Remembered {
  public:
    explicit Remembered(const Network& network) : network_(network) {}

    const MessageCost& operator()(std::uint64_t size, std::uint64_t distance) {
        const bool near = distance < network_.ranks_per_node;
        if (known_ && size == size_ && near == near_) return cost_;
        known_ = true;
        size_ = size;
        near_ = near;
        cost_ = network_.message(static_cast<double>(size), distance);
        return cost_;
    }

  private:
    const Network& network_;
    bool known_ = false;
    bool near_ = false;
    std::uint64_t size_ = 0;
    MessageCost cost_;
};

/// Down a binomial tree, the child with the largest subtree first. `bytes(n)`: of a message to a
/// child whose subtree has `n` ranks.
///
/// The first child of `P = 2^h` ranks is always the last to end, so the time is the sum of the
/// messages on the way to it. Of other numbers the first subtree is the small one, and the second,
/// which is full, may end later, though its message leaves behind the other: by what the processor
/// or the interface takes of that. `apart`: every so many ranks one is in the tree. `beside`: how
/// many more messages each sends after those to its children.
template <class Bytes>
[[nodiscard]] double down_binomial(const Network& network, std::uint64_t ranks, Bytes bytes,
                                   std::uint64_t apart = 1, std::uint64_t beside = 0) {
    if (ranks < 2) return 0;
    Remembered message(network);
    // Until a child 2^k places away, with `n` ranks below it, has its message. On a shared
    // interface those of nearer children pass beside it, and what one before it takes.
    const auto child = [&](std::uint32_t k, std::uint64_t n, double before = 0) {
        const std::uint64_t power = std::uint64_t{1} << k;
        const MessageCost first = message(bytes(n), power * apart);
        if (!network.sharing || power * apart < network.ranks_per_node) return first.total();
        FirstOfShared shared(first);
        for (std::uint64_t next = power / 2; next * apart >= network.ranks_per_node; next /= 2)
            shared.add(message(bytes(next), next * apart).wire);
        if (beside > 0) shared.add_equal(static_cast<double>(beside));
        return shared.received() + std::min(before, first.wire);
    };
    const std::uint32_t levels = ceil_log(ranks);
    std::array<double, 65> full;  // from the root of 2^k ranks to the last of them
    full[0] = 0;
    for (std::uint32_t k = 0; k < levels; ++k) {
        const std::uint64_t power = std::uint64_t{1} << k;
        if (2 * power <= ranks) full[k + 1] = full[k] + child(k, power);
    }
    double before = 0;  // until the root of what is left has its message
    double last = 0;
    while (!std::has_single_bit(ranks)) {
        const std::uint32_t level = floor_log(ranks);
        const std::uint64_t half = std::uint64_t{1} << level;
        const std::uint64_t rest = ranks - half;
        const MessageCost first = message(bytes(rest), half * apart);
        const MessageCost second = message(bytes(half / 2), half / 2 * apart);
        // Both through the interface, or the second beside it; or as the first, if they share it.
        const bool wait = half / 2 * apart >= network.ranks_per_node;
        const double reached = child(level, rest);
        const double start = first.send + (wait ? std::max(second.send, first.wire) : second.send);
        const double there = network.sharing && wait
                                 ? first.send + child(level - 1, half / 2, first.wire)
                                 : start + second.awaited();
        last = std::max(last, before + there + full[level - 1]);
        before += reached;
        ranks = rest;
    }
    return std::max(last, before + full[floor_log(ranks)]);
}

/// What a rank sends, one message after another.
class Outlet {
  public:
    /// The next message: when it has been received, seconds after the first was begun. `own_node`:
    /// it goes to the rank's own node, through no interface.
    [[nodiscard]] double send(const MessageCost& cost, bool own_node) {
        processor_ += cost.send;
        double left = processor_ + cost.wire;
        if (!own_node) left = interface_ = std::max(interface_, processor_) + cost.wire;
        return left + cost.latency + cost.receive;
    }

  private:
    double processor_ = 0;
    double interface_ = 0;
};

/// Down a binomial tree, the nearest child first, whose subtree is the smallest. `bytes(n)`: as
/// `down_binomial` has it. Follows what the root of each tree sends: of `2^k` ranks, and of what
/// the last child of other numbers has.
template <class Bytes>
[[nodiscard]] double down_binomial_nearest_first(const Network& network, std::uint64_t ranks,
                                                 Bytes bytes) {
    if (ranks < 2) return 0;
    Remembered remembered(network);
    const auto message = [&](std::uint64_t n, std::uint64_t distance) {
        return remembered(bytes(n), distance);
    };
    const auto near = [&](std::uint64_t distance) { return distance < network.ranks_per_node; };
    const std::uint32_t levels = ceil_log(ranks);
    std::array<MessageCost, 64> costs;
    std::array<double, 65> full;  // from the root of 2^k ranks to the last of them
    // A root of 2^k ranks and of `rest`, the subtree of its last child, which takes `below`
    // seconds.
    const auto root = [&](std::uint32_t k, std::uint64_t rest, double below) {
        Outlet outlet;
        double last = 0;
        for (std::uint32_t child = 0; child < k; ++child)
            last = std::max(
                last, outlet.send(costs[child], near(std::uint64_t{1} << child)) + full[child]);
        const std::uint64_t power = std::uint64_t{1} << k;
        return std::max(last, outlet.send(message(rest, power), near(power)) + below);
    };
    full[0] = 0;
    for (std::uint32_t k = 0; k < levels; ++k) {
        const std::uint64_t power = std::uint64_t{1} << k;
        if (2 * power > ranks) break;
        costs[k] = message(power, power);
        full[k + 1] = root(k, power, full[k]);
    }
    const auto lowest = static_cast<std::uint32_t>(std::countr_zero(ranks));
    std::uint64_t rest = std::uint64_t{1} << lowest;
    double seconds = full[lowest];
    for (std::uint32_t k = lowest + 1; k < levels; ++k) {
        const std::uint64_t power = std::uint64_t{1} << k;
        if ((ranks & power) == 0) continue;
        seconds = root(k, rest, seconds);
        rest |= power;
    }
    return seconds;
}

/// What a rank takes in: its interface in the order in which messages come, its processor in the
/// order in which it asked for them.
class Intake {
  public:
    /// When a message sets out whose sender is `ready`: it may have to wait until it is asked for.
    [[nodiscard]] double sets_out(const MessageCost& cost, double ready) const {
        const double sent = ready + cost.send;
        return cost.waits ? std::max(sent, processor_) : sent;
    }
    /// A message whose first byte is at the interface `arrival` seconds after the start: when its
    /// last byte is there. `own_node`: it comes from the rank's own node, through no interface.
    [[nodiscard]] double through(const MessageCost& cost, double arrival, bool own_node) {
        if (own_node) return arrival + cost.wire;
        return interface_ = std::max(interface_, arrival) + cost.wire;
    }
    /// The processor receives what is `there`.
    void receive(const MessageCost& cost, double there) {
        processor_ = std::max(processor_, there) + cost.receive;
    }
    [[nodiscard]] double done() const { return processor_; }

  private:
    double interface_ = 0;
    double processor_ = 0;
};

/// Up a binomial tree, small subtrees first. `bytes(n)`: of a message from a child whose subtree
/// has `n` ranks. Of `P = 2^h` ranks every child's message arrives a message after the one before
/// it, so the time is the sum of the messages. Of other numbers the last subtree is a smaller one,
/// whose message comes between others or beside them, and is received last; this follows what the
/// root of each such tree takes in.
template <class Bytes>
[[nodiscard]] double up_binomial(const Network& network, std::uint64_t ranks, Bytes bytes) {
    if (ranks < 2) return 0;
    Remembered remembered(network);
    const auto message = [&](std::uint64_t n, std::uint64_t distance) {
        return remembered(bytes(n), distance);
    };
    std::array<MessageCost, 64> costs;
    std::array<double, 65> full;  // until the root of a tree of 2^k ranks has all
    full[0] = 0;
    const auto levels = static_cast<std::uint32_t>(std::bit_width(ranks));
    for (std::uint32_t k = 0; k + 1 < levels; ++k) {
        costs[k] = message(std::uint64_t{1} << k, std::uint64_t{1} << k);
        full[k + 1] = full[k] + costs[k].total();
    }
    std::uint64_t n = ranks & (~ranks + 1);
    double done = full[static_cast<std::size_t>(std::countr_zero(ranks))];
    for (auto k = static_cast<std::uint32_t>(std::countr_zero(ranks)) + 1; k < levels; ++k) {
        const std::uint64_t power = std::uint64_t{1} << k;
        if ((ranks & power) == 0) continue;
        const MessageCost last = message(n, power);
        const double arrival = done + last.send + last.latency;
        const bool last_near = power < network.ranks_per_node;
        Intake root;
        std::optional<double> last_there;
        for (std::uint32_t child = 0; child < k; ++child) {
            const double at = root.sets_out(costs[child], full[child]) + costs[child].latency;
            if (!last_there && !last.waits && arrival < at)
                last_there = root.through(last, arrival, last_near);
            const bool near = std::uint64_t{1} << child < network.ranks_per_node;
            root.receive(costs[child], root.through(costs[child], at, near));
        }
        if (!last_there)
            last_there = root.through(last, root.sets_out(last, done) + last.latency, last_near);
        root.receive(last, *last_there);
        done = root.done();
        n |= power;
    }
    return done;
}

}  // namespace lapwing::model

#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "lapwing/model/collectives/cached_costs.hpp"
#include "lapwing/model/collectives/rounds.hpp"
#include "lapwing/model/collectives/shared_link.hpp"
#include "lapwing/model/network.hpp"

namespace lapwing::model {

/// `down_binomial` for interfaces that serve messages one by one, with one rank a node. The general
/// function takes twice as long, and trees are most of a grid of predictions.
template <class Bytes>
[[nodiscard]] double down_binomial_alone(const MessageCosts& costs, std::uint64_t ranks,
                                         Bytes bytes) {
    const auto size = [&](std::uint64_t n) {
        return static_cast<double>(static_cast<std::int64_t>(bytes(n)));
    };
    std::array<double, 65> full;  // from the root of 2^k ranks to the last of them
    full[0] = 0;
    const std::uint32_t levels = floor_log(ranks);
    for (std::uint32_t k = 0; k < levels; ++k)
        full[k + 1] = full[k] + costs.total(size(std::uint64_t{1} << k));
    double before = 0;  // until the root of what is left has its message
    double last = 0;
    while (!power_of_two(ranks)) {
        const std::uint32_t level = floor_log(ranks);
        const std::uint64_t half = std::uint64_t{1} << level;
        ranks -= half;
        const MessageCost first = costs(size(ranks));
        const MessageCost second = costs(size(half / 2));
        const double start = first.send + std::max(second.send, first.wire);
        last = std::max(last, before + start + second.awaited() + full[level - 1]);
        before += first.total();
        // The remaining ranks end no later than a full tree would.
        if (before + full[ceil_log(ranks)] <= last) return last;
    }
    return std::max(last, before + full[floor_log(ranks)]);
}

/// Down a binomial tree, the child with the largest subtree first. `bytes(n)`: of a message to a
/// child whose subtree has `n` ranks. `apart`: the distance between ranks that are in the tree.
/// `beside`: number of further messages that each rank sends after those to its children.
///
/// With `P = 2^h` ranks the first child is always the last to end, so the time is the sum of the
/// messages on the way to it. Otherwise the first subtree is a small one. The second, which is
/// full, may end later, although its message leaves after the other: by the time of the processor
/// or the interface for that.
template <class Bytes>
[[nodiscard]] double down_binomial(const Network& network, std::uint64_t ranks, Bytes bytes,
                                   std::uint64_t apart = 1, std::uint64_t beside = 0) {
    if (ranks < 2) return 0;
    if (!network.sharing && network.ranks_per_node == 1 && apart == 1)
        return down_binomial_alone(network.between, ranks, bytes);
    CachedCosts message(network);
    // Seconds until a child `2^k` ranks away, with `n` ranks below it, has its message. On a shared
    // interface the messages to nearer children pass beside it, and `before` seconds of an earlier
    // one.
    const auto child = [&](std::uint32_t k, std::uint64_t n, double before = 0) {
        const std::uint64_t power = std::uint64_t{1} << k;
        if (!network.sharing || power * apart < network.ranks_per_node)
            return message.total(bytes(n), power * apart);
        const MessageCost first = message(bytes(n), power * apart);
        FirstOnSharedLink shared(first);
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
    while (!power_of_two(ranks)) {
        const std::uint32_t level = floor_log(ranks);
        const std::uint64_t half = std::uint64_t{1} << level;
        const std::uint64_t rest = ranks - half;
        const MessageCost first = message(bytes(rest), half * apart);
        const MessageCost second = message(bytes(half / 2), half / 2 * apart);
        // Both messages pass the interface, or the second passes beside it; or they share it.
        const bool wait = half / 2 * apart >= network.ranks_per_node;
        const double reached = child(level, rest);
        const double start = first.send + (wait ? std::max(second.send, first.wire) : second.send);
        const double there = network.sharing && wait
                                 ? first.send + child(level - 1, half / 2, first.wire)
                                 : start + second.awaited();
        last = std::max(last, before + there + full[level - 1]);
        before += reached;
        ranks = rest;
        // The remaining ranks end no later than a full tree would.
        if (before + full[ceil_log(rest)] <= last) return last;
    }
    return std::max(last, before + full[floor_log(ranks)]);
}

/// The same with all messages of `size` bytes: `log P T(m)`. If the ranks are no power of two,
/// `floor(log P) T(m)` and the delay of the second message behind the first.
[[nodiscard]] inline double down_binomial_whole(const Network& network, std::uint64_t ranks,
                                                std::uint64_t size) {
    if (ranks < 2) return 0;
    if (network.sharing || network.ranks_per_node > 1)
        return down_binomial(network, ranks, [&](std::uint64_t) { return size; });
    const MessageCost cost = network.between(static_cast<double>(size));
    const double behind = power_of_two(ranks) ? 0 : std::max(cost.send, cost.wire);
    return floor_log(ranks) * cost.total() + behind;
}

/// The messages that a rank sends, one after another.
class Outlet {
  public:
    /// Adds the next message. Seconds from the start of the first until it has been received.
    /// `own_node`: it goes to the rank's own node, through no interface.
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

/// Down a binomial tree, the nearest child first, whose subtree is the smallest. `bytes(n)`: as in
/// `down_binomial`. Follows the sends of the root of each tree: of `2^k` ranks, and of the
/// remaining ranks under the last child.
template <class Bytes>
[[nodiscard]] double down_binomial_nearest_first(const Network& network, std::uint64_t ranks,
                                                 Bytes bytes) {
    if (ranks < 2) return 0;
    CachedCosts costs(network);
    const auto message = [&](std::uint64_t n, std::uint64_t distance) {
        return costs(bytes(n), distance);
    };
    const auto near = [&](std::uint64_t distance) { return distance < network.ranks_per_node; };
    const std::uint64_t lowest = ranks & (~ranks + 1);
    Outlet outlet;           // of a root that has served its children 1, 2, ... power / 2 away
    double full = 0;         // until the last of `power` ranks has all
    std::uint64_t rest = 0;  // in the tree of the lowest bits of `ranks`
    double seconds = 0;      // until the last of those has all
    for (std::uint64_t power = 1;; power *= 2) {
        if (power == lowest) {
            seconds = full;
            rest = power;
        } else if ((ranks & power) != 0) {
            Outlet last = outlet;
            seconds = std::max(full, last.send(message(rest, power), near(power)) + seconds);
            rest |= power;
        }
        if (power > ranks / 2) return seconds;
        full = std::max(full, outlet.send(message(power, power), near(power)) + full);
    }
}

/// The messages that a rank receives: its interface takes them in the order of their arrival, its
/// processor in the order of its receives.
class Intake {
  public:
    /// `free`: seconds after the start at which all earlier messages have been received.
    explicit Intake(double free) : interface_(free), processor_(free) {}

    /// Adds a message whose first byte arrives at the interface `arrival` seconds after the start.
    /// Seconds until its last byte is there. `own_node`: it comes from the rank's own node, through
    /// no interface.
    [[nodiscard]] double through(const MessageCost& cost, double arrival, bool own_node) {
        if (own_node) return arrival + cost.wire;
        return interface_ = std::max(interface_, arrival) + cost.wire;
    }
    /// The processor receives a message that is complete `there` seconds after the start.
    void receive(const MessageCost& cost, double there) {
        processor_ = cost.received(there, processor_);
    }
    [[nodiscard]] double done() const { return processor_; }

  private:
    double interface_;
    double processor_;
};

/// Up a binomial tree, small subtrees first. `bytes(n)`: of a message from a child whose subtree
/// has `n` ranks. With `P = 2^h` ranks every child's message arrives one message after the one
/// before it, so the time is the sum of the messages. Otherwise the last subtree is a smaller one,
/// whose message comes between or beside the others and is received last. Follows the receives of
/// the root of each such tree.
template <class Bytes>
[[nodiscard]] double up_binomial(const Network& network, std::uint64_t ranks, Bytes bytes) {
    if (ranks < 2) return 0;
    CachedCosts costs(network);
    const auto message = [&](std::uint64_t n, std::uint64_t distance) {
        return costs(bytes(n), distance);
    };
    const auto of_child = [&](std::uint32_t k) {
        return message(std::uint64_t{1} << k, std::uint64_t{1} << k);
    };
    constexpr double rounding = 1 + 1e-12;
    std::array<double, 65> full;  // until the root of a tree of 2^k ranks has all
    full[0] = 0;
    const auto levels = static_cast<std::uint32_t>(std::bit_width(ranks));
    for (std::uint32_t k = 0; k + 1 < levels; ++k) {
        const std::uint64_t power = std::uint64_t{1} << k;
        full[k + 1] = full[k] + costs.total(bytes(power), power);
    }
    std::uint64_t n = ranks & (~ranks + 1);
    auto k = static_cast<std::uint32_t>(std::countr_zero(ranks));
    double done = full[k];
    while (++k < levels) {
        const std::uint64_t power = std::uint64_t{1} << k;
        if ((ranks & power) == 0) continue;
        const MessageCost last = message(n, power);
        n |= power;
        if (last.waits) {
            done = std::max(done + last.send, full[k]) + last.awaited();
            continue;
        }
        const double arrival = done + last.send + last.latency;
        const bool last_near = power < network.ranks_per_node;
        // Children whose messages have been received before this one arrives delay nothing.
        std::uint32_t child = 0;
        while (child < k && full[child + 1] <= arrival) ++child;
        Intake root(full[child]);
        std::optional<double> last_there;
        bool kept_waiting = true;
        for (; child < k && kept_waiting; ++child) {
            const MessageCost cost = of_child(child);
            const double sent = full[child] + cost.send;
            const double at = (cost.waits ? std::max(sent, root.done()) : sent) + cost.latency;
            if (!last_there && arrival < at) last_there = root.through(last, arrival, last_near);
            const bool near = std::uint64_t{1} << child < network.ranks_per_node;
            root.receive(cost, root.through(cost, at, near));
            // Once a message is received as early as without the last one, so are all later ones.
            kept_waiting = !last_there || root.done() > rounding * full[child + 1];
        }
        if (!last_there) last_there = root.through(last, arrival, last_near);
        done = last.received(*last_there, kept_waiting ? root.done() : full[k]);
    }
    return done;
}

}  // namespace lapwing::model

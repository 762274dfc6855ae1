#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lapwing/model/collectives/arrivals.hpp"
#include "lapwing/model/collectives/cached_costs.hpp"
#include "lapwing/model/collectives/departures.hpp"
#include "lapwing/model/collectives/rounds.hpp"
#include "lapwing/model/network.hpp"

namespace lapwing::model {

/// A k-nomial tree: a full one of `k^t` ranks has at its root k - 1 children with full trees of
/// `k^(t-1)` ranks, then k - 1 with `k^(t-2)`, and so on. With other numbers of ranks, only the
/// last child at the largest distance has a tree that is not full. The lower digits of the number
/// tell the ranks of that tree. So there is one tree for each digit.
class KNomial {
  public:
    /// `radix`: k, at least 2.
    KNomial(std::uint64_t ranks, std::uint64_t radix) : ranks_(ranks), radix_(radix) {}

    /// Calls `visit(subtree, distance, seconds)` for each child of the root, the largest first, and
    /// `solve()` after the last. It does so for one tree after another from small to large, and
    /// passes the seconds of each child's tree. `level`: the seconds that a level adds to a full
    /// tree, if it is the same for all; otherwise full trees are solved, too. The seconds of the
    /// whole tree.
    template <class Visit, class Solve>
    [[nodiscard]] double seconds(Visit&& visit, Solve&& solve, std::optional<double> level) const {
        if (ranks_ < 2) return 0;
        std::array<double, 65> full{};  // of trees of k^i ranks
        std::size_t levels = 0;
        const auto visit_full = [&](std::size_t below, std::uint64_t power) {
            while (below-- > 0) {
                power /= radix_;
                for (std::uint64_t r = 1; r < radix_; ++r) visit(power, r * power, full[below]);
            }
        };
        double rest_seconds = 0;
        std::uint64_t rest = 0;
        for (std::uint64_t power = 1;; power *= radix_, ++levels) {
            if (levels > 0) {
                if (level) {
                    full[levels] = full[levels - 1] + *level;
                } else {
                    visit_full(levels, power);
                    full[levels] = solve();
                }
            }
            const std::uint64_t digit = ranks_ / power % radix_;
            if (digit == 1 && rest == 0) {
                rest_seconds = full[levels];
            } else if (digit > 0) {
                for (std::uint64_t r = 1; r < digit; ++r) visit(power, r * power, full[levels]);
                if (rest > 0) visit(rest, digit * power, rest_seconds);
                visit_full(levels, power);
                rest_seconds = solve();
            }
            rest += digit * power;
            if (power > ranks_ / radix_) return rest_seconds;
        }
    }

    /// Less than any such tree takes: its full levels. In each of them, k - 1 messages come one
    /// after another through an interface if there is one rank a node. `bytes(n)`: of a message
    /// between the root and a subtree of `n` ranks.
    template <class Bytes>
    [[nodiscard]] double least(const Network& network, Bytes bytes) const {
        double seconds = 0;
        const double behind = network.ranks_per_node > 1 ? 0 : static_cast<double>(radix_ - 2);
        for (std::uint64_t power = radix_; power <= ranks_; power *= radix_) {
            const auto size = static_cast<double>(bytes(power / radix_));
            seconds += least_message(network, size);
            if (behind > 0) seconds += behind * network.between(size).wire;
        }
        return (1 - 1e-12) * seconds;
    }

  private:
    std::uint64_t ranks_;
    std::uint64_t radix_;
};

/// Whether all levels of a full k-nomial tree take the same time. They do if all messages have one
/// size and pass their interfaces one after another, with one rank a node.
template <class Bytes>
[[nodiscard]] bool whole_messages(const Network& network, std::uint64_t radix, Bytes bytes) {
    return !network.sharing && network.ranks_per_node == 1 && bytes(1) == bytes(radix);
}

/// Down a k-nomial tree, the children with the largest subtrees first. `bytes(n)`: of a message to
/// a child whose subtree has `n` ranks. With `P = k^h` ranks `h (T(m) + (k-2) max(o_s, G m))`.
template <class Bytes>
[[nodiscard]] double down_k_nomial(const Network& network, std::uint64_t ranks, std::uint64_t radix,
                                   Bytes bytes) {
    CachedCosts costs(network);
    Departures sent(network);
    std::vector<double> below;
    std::optional<double> level;
    if (whole_messages(network, radix, bytes)) {
        const MessageCost& cost = costs(bytes(1), 1);
        level = cost.total() + static_cast<double>(radix - 2) * std::max(cost.send, cost.wire);
    }
    return KNomial(ranks, radix)
        .seconds(
            [&](std::uint64_t subtree, std::uint64_t distance, double seconds) {
                sent.add(costs(bytes(subtree), distance), distance < network.ranks_per_node);
                below.push_back(seconds);
            },
            [&] {
                sent.end();
                double last = 0;
                for (std::size_t i = 0; i < below.size(); ++i)
                    last = std::max(last, sent.received(i) + below[i]);
                sent.clear();
                below.clear();
                return last;
            },
            level);
}

/// Up a k-nomial tree. With `Receives::at_once` a rank receives from its children as they come,
/// otherwise from the last one first, whose subtree is the smallest. `bytes(n)`: of a message from
/// a child whose subtree has `n` ranks. With `P = k^h` ranks `h (T(m) + (k-2) max(G m, o_r))`.
template <class Bytes>
[[nodiscard]] double up_k_nomial(const Network& network, std::uint64_t ranks, std::uint64_t radix,
                                 Receives receives, Bytes bytes) {
    struct Child {
        MessageCost cost;
        double ready;
        std::uint64_t distance;
    };
    CachedCosts costs(network);
    Arrivals arrivals(network, receives);
    std::vector<Child> children;
    std::optional<double> level;
    if (receives == Receives::at_once && whole_messages(network, radix, bytes)) {
        const MessageCost& cost = costs(bytes(1), 1);
        level = cost.total() + static_cast<double>(radix - 2) * std::max(cost.wire, cost.receive);
    }
    return KNomial(ranks, radix)
        .seconds(
            [&](std::uint64_t subtree, std::uint64_t distance, double seconds) {
                children.push_back({costs(bytes(subtree), distance), seconds, distance});
            },
            [&] {
                for (std::size_t i = children.size(); i-- > 0;)
                    arrivals.add(children[i].cost, children[i].ready, children[i].distance);
                const double last = arrivals.received();
                arrivals.clear();
                children.clear();
                return last;
            },
            level);
}

}  // namespace lapwing::model

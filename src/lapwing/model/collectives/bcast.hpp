#pragma once

#include <algorithm>
#include <cstdint>

#include "lapwing/model/collectives/binary.hpp"
#include "lapwing/model/collectives/bine.hpp"
#include "lapwing/model/collectives/chains.hpp"
#include "lapwing/model/collectives/fan.hpp"
#include "lapwing/model/collectives/k_nomial.hpp"
#include "lapwing/model/collectives/recursive_doubling.hpp"
#include "lapwing/model/collectives/rounds.hpp"
#include "lapwing/model/collectives/shared_link.hpp"
#include "lapwing/model/collectives/trees.hpp"

/// Broadcasts: seconds until the last rank has the message. `size`: its bytes.
namespace lapwing::model::bcast {

/// `o_s + (P-2) max(o_s, G m) + L + G m + o_r`. Exact.
[[nodiscard]] inline double linear(const Network& network, std::uint64_t ranks,
                                   std::uint64_t size) {
    return fan_out(network, ranks, static_cast<double>(size));
}

/// `log P T(m)`; of other numbers of ranks, `down_binomial_whole`. Exact.
[[nodiscard]] inline double binomial(const Network& network, std::uint64_t ranks,
                                     std::uint64_t size) {
    return down_binomial_whole(network, ranks, size);
}

/// Down a tree across the first ranks of groups of `g`, then linear inside each:
/// `ceil(log(P/g)) T(m) + linear(g)`; of other numbers of groups than powers of two,
/// `down_binomial`. The last group may be smaller, and done before the others are.
/// Stops above `cutoff`, see `any_time`.
[[nodiscard]] inline double grouped(const Network& network, std::uint64_t ranks, std::uint64_t size,
                                    std::uint64_t group, double cutoff = any_time) {
    const bool alike = !network.sharing && network.ranks_per_node == 1;
    // On a shared interface, messages to a rank's own group go beside those of the tree.
    const auto first_ranks = [&](std::uint64_t groups) {
        if (alike) return down_binomial_whole(network, groups, size);
        return down_binomial(
            network, groups, [&](std::uint64_t) { return size; }, group, group - 1);
    };
    const std::uint64_t groups = share(ranks, group);
    if (groups < 2) return linear(network, ranks, size);
    const double last = first_ranks(groups) + linear(network, ranks - (groups - 1) * group, size);
    if (last > cutoff) return last;
    // The root serves the last group before its own.
    const MessageCost cost = network.message(static_cast<double>(size), group);
    const double served = groups == 2 ? std::max(cost.send, cost.wire) : 0;
    return std::max(last, first_ranks(groups - 1) + served + linear(network, group, size));
}

/// Down a chain in `n` segments of `s` bytes: `(P-1) T(s) + (n-1) max(o_s + o_r, G s)`, or, if
/// segments wait for their receives, `(P-1) T(s) + (n-1) T(s)`. Exact for one segment, for segments
/// that wait, and where the wire is slower than the processors. Where it is faster, arriving
/// messages delay departing ones, and the chain takes longer than this.
[[nodiscard]] inline double pipelined(const Network& network, std::uint64_t ranks,
                                      std::uint64_t size, std::uint64_t segment) {
    if (ranks < 2) return 0;
    const std::uint64_t segments = std::max<std::uint64_t>(1, share(size, segment));
    const auto bytes = static_cast<double>(share(size, segments));
    const std::uint64_t nodes = share(ranks, network.ranks_per_node);
    const auto between = static_cast<double>(nodes - 1);
    const auto within = static_cast<double>(ranks - nodes);
    double once = 0;
    double period = 0;
    const auto pass = [&](double times, const MessageCost& cost, double interface) {
        if (times == 0) return;
        if (network.sharing && interface > 0 && !cost.waits) {
            once += passed_on(cost, static_cast<double>(segments), times);
            interface = 0;
        } else {
            once += times * cost.total();
        }
        // A rank in the middle both sends and receives.
        const double processor =
            ranks > 2 ? cost.send + cost.receive : std::max(cost.send, cost.receive);
        // A message that waits leaves once the one before it has been received and passed on.
        const double next = cost.waits ? cost.awaited() + (ranks > 2 ? cost.send : 0) : 0;
        period = std::max({period, processor, interface, next});
    };
    const MessageCost far = network.between(bytes);
    pass(between, far, far.wire);
    pass(within, network.within(bytes), 0);
    return once + static_cast<double>(segments - 1) * period;
}

/// `(P-1) T(m)`. Exact.
[[nodiscard]] inline double chain(const Network& network, std::uint64_t ranks, std::uint64_t size) {
    return pipelined(network, ranks, size, std::max<std::uint64_t>(1, size));
}

/// Seconds until the first segment has come from the root of a binary tree of `ranks`, filled level
/// by level, to the last of them. `message`: seconds of a segment. A rank sends to its second child
/// `next` seconds after the first.
[[nodiscard]] inline double down_binary(std::uint64_t ranks, double message, double next) {
    double sum = 0;
    while (ranks > 1) {
        const std::uint32_t depth = floor_log(ranks);
        const std::uint64_t above = (std::uint64_t{1} << depth) - 1;
        const std::uint64_t lowest = ranks - above;
        const std::uint64_t half = (above + 1) / 2;
        // The lowest level is filled below the first child before the second.
        const bool second = lowest > half;
        sum += message + (second ? next : 0);
        ranks = (above - 1) / 2 + (second ? lowest - half : lowest);
    }
    return sum;
}

/// Each half of the message goes down one half of a binary tree in `n` segments of `s` bytes. Then
/// the ranks exchange the halves: `h (T(s) + max(o_s, G s)) + (n-1) max(2 o_s + o_r, 2 G s) +
/// T(m/2)` for a full tree of `h` levels. An approximation for many segments: some ranks may begin
/// the exchange while others still pass segments on.
[[nodiscard]] inline double split_binary(const Network& network, std::uint64_t ranks,
                                         std::uint64_t size, std::uint64_t segment) {
    if (ranks < 2) return 0;
    const std::uint64_t bytes = share(size, 2);
    const std::uint64_t segments = std::max<std::uint64_t>(1, share(bytes, segment));
    const std::uint64_t far = ranks > network.ranks_per_node ? network.ranks_per_node : 1;
    const MessageCost cost = network.message(static_cast<double>(share(bytes, segments)), far);
    const double next = far < network.ranks_per_node ? cost.send : std::max(cost.send, cost.wire);
    // The ranks of a node share its interface.
    const double shared = far < network.ranks_per_node ? 0 : static_cast<double>(far);
    const MessageCost half = network.message(static_cast<double>(bytes), far);
    const double exchange = half.total() + std::max(0.0, shared - 1) * half.wire;
    const auto count = static_cast<double>(segments);
    const std::uint64_t left = ranks / 2;
    const std::uint64_t right = ranks - 1 - left;
    if (right == 0)
        return cost.waits ? cost.send + count * cost.awaited() + half.awaited()
                          : count * std::max(next, cost.receive) + exchange;
    // All receives of a single segment are there from the beginning.
    if (network.sharing && shared > 0 && (!cost.waits || segments == 1))
        return passed_on(cost, 2 * count, ceil_log(ranks + 1) - 1) + exchange;
    const double processor = (right > 2 ? 2 : 1) * cost.send + cost.receive;
    const double others = (count - 1) * std::max({processor, 2 * next, shared * cost.wire,
                                                  cost.waits ? cost.awaited() : 0});
    const double both =
        next + cost.total() + down_binary(right, cost.total(), next) + others + exchange;
    if (left == right) return both;
    // The last rank of the left half has no counterpart: it gets its other half from the root.
    const double alone = cost.total() + down_binary(left, cost.total(), next) + others;
    return std::max({both, alone, 2 * count * next + exchange});
}

/// Binomial scatter, then a ring: `sum_k T(m/2^k) + (P-1) T(m/P)`. Exact for powers of two.
/// Stops above `cutoff`, see `any_time`.
[[nodiscard]] inline double scatter_ring(const Network& network, std::uint64_t ranks,
                                         std::uint64_t size, double cutoff = any_time) {
    if (ranks < 2) return 0;
    const double around = ring(network, ranks, static_cast<double>(share(size, ranks)));
    if (around > cutoff) return around;
    return down_binomial(network, ranks, Shares(size, ranks)) + around;
}

/// Binomial scatter, then recursive doubling: `2 sum_k T(m/2^k)`. Exact for powers of two. An
/// approximation otherwise: the ranks that hand over their data have it first, and nobody waits for
/// them unless their messages wait. Stops above `cutoff`, see `any_time`.
[[nodiscard]] inline double scatter_recursive_doubling(const Network& network, std::uint64_t ranks,
                                                       std::uint64_t size,
                                                       double cutoff = any_time) {
    if (ranks < 2) return 0;
    Shares bytes(size, ranks);
    RecursiveDoubling doubling(network, ranks);
    double least = 0;  // of the scatter: no tree is shorter than the full one in it
    // The longest rounds first: most results exceed the cutoff after these.
    for (std::uint32_t k = doubling.levels(); k-- > 0;) {
        const std::uint64_t power = std::uint64_t{1} << k;
        doubling.round(static_cast<double>(bytes(doubling.stand_for(power))), k);
        if (cutoff == any_time) continue;
        least += (1 - 1e-12) * network.total(static_cast<double>(bytes(power)), power);
        if (least + doubling.so_far() > cutoff) return least + doubling.so_far();
    }
    return down_binomial(network, ranks, bytes) +
           doubling.ended(static_cast<double>(bytes(1)), static_cast<double>(size));
}

/// Down a binary tree: `h (T(m) + max(o_s, G m))` for a full one with `h` levels below the root.
/// Exact.
[[nodiscard]] inline double binary(const Network& network, std::uint64_t ranks, std::uint64_t size,
                                   double cutoff = any_time) {
    const double least = least_of_binary_tree(network, ranks, static_cast<double>(size));
    if (least > cutoff) return least;
    return down_binary_tree(network, ranks, static_cast<double>(size));
}

/// The same in `n` segments of `s` bytes: `h (T(s) + max(o_s, G s)) + (n-1) max(2 o_s + o_r, 2 G
/// s)`.
[[nodiscard]] inline double pipelined_binary(const Network& network, std::uint64_t ranks,
                                             std::uint64_t size, std::uint64_t segment,
                                             double cutoff = any_time) {
    if (ranks < 2) return 0;
    const BinarySegments pieces(network, ranks, size, segment);
    const MessageCost& cost = pieces.cost;
    const double processor = (ranks > 3 ? pieces.children * cost.send : 0) + cost.receive;
    const double period = std::max({pieces.children * std::max(cost.send, pieces.wire), processor,
                                    asked_ahead(network, cost)});
    const double others = pieces.others * period;
    const double least = least_of_binary_tree(network, ranks, pieces.bytes) + others;
    if (least > cutoff) return least;
    return down_binary_tree(network, ranks, pieces.bytes) + others;
}

/// Down a k-nomial tree (`radix`: k): `h (T(m) + (k-2) max(o_s, G m))` for `k^h` ranks. Exact.
[[nodiscard]] inline double k_nomial(const Network& network, std::uint64_t ranks,
                                     std::uint64_t size, std::uint64_t radix,
                                     double cutoff = any_time) {
    const auto bytes = [&](std::uint64_t) { return size; };
    const double least = KNomial(ranks, radix).least(network, bytes);
    if (least > cutoff) return least;
    return down_k_nomial(network, ranks, radix, bytes);
}

/// Down several chains, none longer than `l` ranks: `(count - 1) max(o_s, G m) + l T(m)`. Exact.
[[nodiscard]] inline double chains(const Network& network, std::uint64_t ranks, std::uint64_t size,
                                   std::uint64_t count) {
    return down_chains(network, ranks, count, static_cast<double>(size));
}

/// Down a Bine tree: `log P T(m)`; of other numbers of ranks, `BineTree`. Exact.
[[nodiscard]] inline double bine(const Network& network, std::uint64_t ranks, std::uint64_t size) {
    if (ranks < 2) return 0;
    return down_bine(
        network, BineTree(ranks), [&](std::uint64_t) { return size; }, size, 1);
}

/// A scatter over the Bine butterfly, then an allgather: `2 sum_k T(m/2^k)`. Exact for powers of
/// two. Of other numbers of ranks the cores then send to their idle ranks. Stops above `cutoff`,
/// see `any_time`.
[[nodiscard]] inline double bine_scatter_allgather(const Network& network, std::uint64_t ranks,
                                                   std::uint64_t size, double cutoff = any_time) {
    if (ranks < 2) return 0;
    const std::uint64_t cores = std::uint64_t{1} << floor_log(ranks);
    RecursiveDoubling doubling(network, cores, Partners::bine);
    for (std::uint32_t step = 0; step < doubling.levels(); ++step) {
        const std::uint64_t part = size << (doubling.levels() - 1 - step);
        doubling.round(static_cast<double>(doubling.share_of_core(part)), step);
        if (doubling.so_far() > cutoff) return doubling.so_far();
    }
    const double last = cores == ranks ? 0 : network.total(static_cast<double>(size), 1);
    return down_binomial(network, cores, Shares(size, cores)) + doubling.so_far() + last;
}

}  // namespace lapwing::model::bcast

#pragma once

#include <algorithm>
#include <cstdint>

#include "lapwing/model/collectives/bcast.hpp"
#include "lapwing/model/collectives/binary.hpp"
#include "lapwing/model/collectives/bine.hpp"
#include "lapwing/model/collectives/chains.hpp"
#include "lapwing/model/collectives/fan.hpp"
#include "lapwing/model/collectives/k_nomial.hpp"
#include "lapwing/model/collectives/recursive_doubling.hpp"
#include "lapwing/model/collectives/rounds.hpp"
#include "lapwing/model/collectives/trees.hpp"

/// Reductions: seconds until one rank has the sum. `size`: bytes at each rank. Combining is free.
namespace lapwing::model::reduce {

/// `log P T(m)`; of other numbers of ranks, `up_binomial`. Exact.
[[nodiscard]] inline double binomial(const Network& network, std::uint64_t ranks,
                                     std::uint64_t size) {
    return up_binomial(network, ranks, [&](std::uint64_t) { return size; });
}

/// The root receives from the last rank down, which is the order of arrival: `T(m) + (P-2) max(G m,
/// o_r)`, or `fan_in_awaited` if messages wait for their receives. Exact.
[[nodiscard]] inline double linear(const Network& network, std::uint64_t ranks,
                                   std::uint64_t size) {
    const auto bytes = static_cast<double>(size);
    return network.between(bytes).waits ? fan_in_awaited(network, ranks, bytes)
                                        : fan_in(network, ranks, bytes);
}

/// Recursive halving, then a binomial gather: `2 sum_k T(m/2^k)`. Exact for powers of two.
/// Otherwise the ranks that begin late determine the time.
[[nodiscard]] inline double scatter_gather(const Network& network, std::uint64_t ranks,
                                           std::uint64_t size) {
    if (ranks < 2) return 0;
    RecursiveDoubling doubling(network, ranks);
    const auto levels = doubling.levels();
    const auto bytes = [&](std::uint32_t k) {
        return static_cast<double>(doubling.share_of_core(size << k));
    };
    double up = 0;
    for (std::uint32_t k = levels; k-- > 0;) {
        const std::uint32_t bit = levels - 1 - k;  // near ones exchange most
        doubling.round(bytes(k), bit);
        up += network.message(bytes(k), (doubling.twos() == 0 ? 1ULL : 2ULL) << bit).total();
    }
    return doubling.begun(static_cast<double>(size)) + up;
}

/// Up a chain: `(P-1) T(m)`. Exact.
[[nodiscard]] inline double chain(const Network& network, std::uint64_t ranks, std::uint64_t size) {
    return bcast::chain(network, ranks, size);
}

/// Up a chain in `n` segments of `s` bytes: `(P-1) T(s) + (n-1) max(o_s + o_r, G s)`.
[[nodiscard]] inline double pipelined(const Network& network, std::uint64_t ranks,
                                      std::uint64_t size, std::uint64_t segment) {
    if (ranks < 2) return 0;
    const std::uint64_t segments = std::max<std::uint64_t>(1, share(size, segment));
    const auto bytes = static_cast<double>(share(size, segments));
    const std::uint64_t far = ranks > network.ranks_per_node ? network.ranks_per_node : 1;
    const MessageCost cost = network.message(bytes, far);
    const double processor =
        ranks > 2 ? cost.send + cost.receive : std::max(cost.send, cost.receive);
    return up_chains(network, ranks, 1, bytes) +
           static_cast<double>(segments - 1) *
               std::max({processor, cost.wire, asked_ahead(network, cost)});
}

/// Up several chains, none longer than `l` ranks: `l T(m) + (count - 1) max(G m, o_r)`. Exact.
[[nodiscard]] inline double chains(const Network& network, std::uint64_t ranks, std::uint64_t size,
                                   std::uint64_t count) {
    return up_chains(network, ranks, count, static_cast<double>(size));
}

/// Up a binary tree: `h (T(m) + max(G m, o_r))` for a full one with `h` levels below the root.
[[nodiscard]] inline double binary(const Network& network, std::uint64_t ranks, std::uint64_t size,
                                   double cutoff = any_time) {
    const double least = least_of_binary_tree(network, ranks, static_cast<double>(size));
    if (least > cutoff) return least;
    return up_binary_tree(network, ranks, static_cast<double>(size));
}

/// The same in `n` segments of `s` bytes: `h (T(s) + max(G s, o_r)) + (n-1) max(o_s + 2 o_r, 2 G
/// s)`.
[[nodiscard]] inline double pipelined_binary(const Network& network, std::uint64_t ranks,
                                             std::uint64_t size, std::uint64_t segment,
                                             double cutoff = any_time) {
    if (ranks < 2) return 0;
    const BinarySegments pieces(network, ranks, size, segment);
    const MessageCost& cost = pieces.cost;
    const double processor = (ranks > 3 ? cost.send : 0) + pieces.children * cost.receive;
    const double period =
        std::max({pieces.children * pieces.wire, processor, cost.send, asked_ahead(network, cost)});
    const double others = pieces.others * period;
    const double least = least_of_binary_tree(network, ranks, pieces.bytes) + others;
    if (least > cutoff) return least;
    return up_binary_tree(network, ranks, pieces.bytes) + others;
}

/// Up the in-order binary tree to the last rank, which sends the result to the first. Exact.
[[nodiscard]] inline double in_order_binary(const Network& network, std::uint64_t ranks,
                                            std::uint64_t size, double cutoff = any_time) {
    const double least = least_of_binary_tree(network, ranks, static_cast<double>(size));
    if (least > cutoff) return least;
    if (ranks < 2) return 0;
    const auto bytes = static_cast<double>(size);
    return up_in_order_binary_tree(network, ranks, bytes) + network.total(bytes, ranks - 1);
}

/// Up a k-nomial tree (`radix`: k): `h (T(m) + (k-2) max(G m, o_r))` for `k^h` ranks. Exact.
[[nodiscard]] inline double k_nomial(const Network& network, std::uint64_t ranks,
                                     std::uint64_t size, std::uint64_t radix,
                                     double cutoff = any_time) {
    const auto bytes = [&](std::uint64_t) { return size; };
    const double least = KNomial(ranks, radix).least(network, bytes);
    if (least > cutoff) return least;
    return up_k_nomial(network, ranks, radix, Receives::at_once, bytes);
}

/// Up a Bine tree: `log P T(m)`; of other numbers of ranks, `BineTree`. Exact for powers of two.
[[nodiscard]] inline double bine(const Network& network, std::uint64_t ranks, std::uint64_t size) {
    if (ranks < 2) return 0;
    return up_bine(
        network, BineTree(ranks), Receives::in_turn_ahead, [&](std::uint64_t) { return size; },
        size);
}

/// Halving over the Bine butterfly, then a gather back over it: `2 sum_k T(m/2^k)`. Exact for
/// powers of two.
[[nodiscard]] inline double bine_scatter_gather(const Network& network, std::uint64_t ranks,
                                                std::uint64_t size) {
    if (ranks < 2) return 0;
    RecursiveDoubling doubling(network, ranks, Partners::bine);
    double up = 0;
    for (std::uint32_t step = 0; step < doubling.levels(); ++step) {
        const std::uint64_t part = size << (doubling.levels() - 1 - step);
        const auto bytes = static_cast<double>(doubling.share_of_core(part));
        doubling.round(bytes, step);
        up += network.total(bytes, (doubling.twos() == 0 ? 1 : 2) * bine_distance(step));
    }
    return doubling.begun(static_cast<double>(size)) + up;
}

}  // namespace lapwing::model::reduce

#pragma once

#include <cstdint>

#include "lapwing/model/collectives/bine.hpp"
#include "lapwing/model/collectives/fan.hpp"
#include "lapwing/model/collectives/k_nomial.hpp"
#include "lapwing/model/collectives/rounds.hpp"
#include "lapwing/model/collectives/trees.hpp"

/// Gathers: seconds until one rank has the blocks of all. `size`: bytes of a block.
namespace lapwing::model::gather {

/// `sum_k T(2^k m)`; of other numbers of ranks, `up_binomial`. Exact.
[[nodiscard]] inline double binomial(const Network& network, std::uint64_t ranks,
                                     std::uint64_t size) {
    return up_binomial(network, ranks, [&](std::uint64_t n) { return size * n; });
}

/// The root receives from the first rank up, but messages arrive from the last one down. The time
/// is `T(m) + (P-2) (G m + o_r + u)`, u for messages that were there before their receives, or
/// `fan_in_awaited` if messages wait for these. Exact.
[[nodiscard]] inline double linear(const Network& network, std::uint64_t ranks,
                                   std::uint64_t size) {
    const auto bytes = static_cast<double>(size);
    return network.between(bytes).waits ? fan_in_awaited(network, ranks, bytes)
                                        : fan_in_reversed(network, ranks, bytes);
}

/// The root asks one rank after another: `(P-1) (T(0) + T(m))`. Exact.
[[nodiscard]] inline double linear_sync(const Network& network, std::uint64_t ranks,
                                        std::uint64_t size) {
    if (ranks < 2) return 0;
    const auto bytes = static_cast<double>(size);
    const auto [within, between] = other_ranks(network, ranks);
    return within * (network.within.total(0) + network.within.total(bytes)) +
           between * (network.between.total(0) + network.between.total(bytes));
}

/// Up a k-nomial tree (`radix`: k): for `k^h` ranks `sum_i [T(k^i m) + (k-2) max(k^i G m, o_r)]`.
[[nodiscard]] inline double k_nomial(const Network& network, std::uint64_t ranks,
                                     std::uint64_t size, std::uint64_t radix,
                                     double cutoff = any_time) {
    const auto bytes = [&](std::uint64_t n) { return size * n; };
    const double least = KNomial(ranks, radix).least(network, bytes);
    if (least > cutoff) return least;
    return up_k_nomial(network, ranks, radix, Receives::in_turn, bytes);
}

/// Up a Bine tree: `sum_k T(2^k m)`; of other numbers of ranks, `BineTree`. Exact for powers of
/// two.
[[nodiscard]] inline double bine(const Network& network, std::uint64_t ranks, std::uint64_t size) {
    if (ranks < 2) return 0;
    const BineTree tree(ranks);
    return up_bine(
        network, tree, Receives::in_turn, [&](std::uint64_t n) { return size * tree.stand_for(n); },
        size);
}

}  // namespace lapwing::model::gather

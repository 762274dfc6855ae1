#pragma once

#include <cstdint>

#include "lapwing/model/collectives/bine.hpp"
#include "lapwing/model/collectives/fan.hpp"
#include "lapwing/model/collectives/k_nomial.hpp"
#include "lapwing/model/collectives/rounds.hpp"
#include "lapwing/model/collectives/trees.hpp"

/// Scatters: seconds until the last rank has its block. `size`: bytes of a block.
namespace lapwing::model::scatter {

/// `sum_k T(2^k m)`; of other numbers of ranks, `down_binomial`. Exact.
[[nodiscard]] inline double binomial(const Network& network, std::uint64_t ranks,
                                     std::uint64_t size) {
    return down_binomial(network, ranks, [&](std::uint64_t n) { return size * n; });
}

/// The nearest rank first, as in Open MPI: the last child, whose message is half of all blocks,
/// waits for the others. Exact.
[[nodiscard]] inline double binomial_nearest_first(const Network& network, std::uint64_t ranks,
                                                   std::uint64_t size) {
    return down_binomial_nearest_first(network, ranks, [&](std::uint64_t n) { return size * n; });
}

/// `o_s + (P-2) max(o_s, G m) + L + G m + o_r`. Exact.
[[nodiscard]] inline double linear(const Network& network, std::uint64_t ranks,
                                   std::uint64_t size) {
    return fan_out(network, ranks, static_cast<double>(size));
}

/// Down a k-nomial tree (`radix`: k): for `k^h` ranks `sum_i [T(k^i m) + (k-2) max(o_s, k^i G m)]`.
[[nodiscard]] inline double k_nomial(const Network& network, std::uint64_t ranks,
                                     std::uint64_t size, std::uint64_t radix,
                                     double cutoff = any_time) {
    const auto bytes = [&](std::uint64_t n) { return size * n; };
    const double least = KNomial(ranks, radix).least(network, bytes);
    if (least > cutoff) return least;
    return down_k_nomial(network, ranks, radix, bytes);
}

/// Down a Bine tree: `sum_k T(2^k m)`; of other numbers of ranks, `BineTree`. Exact for powers of
/// two.
[[nodiscard]] inline double bine(const Network& network, std::uint64_t ranks, std::uint64_t size) {
    if (ranks < 2) return 0;
    const BineTree tree(ranks);
    return down_bine(
        network, tree, [&](std::uint64_t n) { return size * tree.stand_for(n); }, size, 0);
}

}  // namespace lapwing::model::scatter

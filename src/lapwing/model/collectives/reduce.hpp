#pragma once

#include <cstdint>

#include "lapwing/model/collectives/fan.hpp"
#include "lapwing/model/collectives/recursive_doubling.hpp"
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

}  // namespace lapwing::model::reduce

#pragma once

#include <cstdint>

#include "lapwing/model/collectives/recursive_doubling.hpp"
#include "lapwing/model/collectives/rounds.hpp"
#include "lapwing/model/collectives/trees.hpp"

/// Allreduces: seconds until the last rank has the sum. `size`: bytes at each rank. Combining is
/// free.
namespace lapwing::model::allreduce {

/// `log P T(m)`; of other numbers of ranks, `RecursiveDoubling`. Exact.
[[nodiscard]] inline double recursive_doubling(const Network& network, std::uint64_t ranks,
                                               std::uint64_t size) {
    RecursiveDoubling doubling(network, ranks);
    const auto bytes = static_cast<double>(size);
    for (std::uint32_t k = 0; k < doubling.levels(); ++k) doubling.round(bytes, k);
    return doubling.finish(bytes, bytes);
}

/// Round the ring twice: `2 (P-1) T(m/P)`. Exact.
[[nodiscard]] inline double ring(const Network& network, std::uint64_t ranks, std::uint64_t size) {
    return 2 * model::ring(network, ranks, static_cast<double>(share(size, ranks)));
}

/// Recursive halving, then doubling: `2 sum_k T(m/2^k)`; of other numbers of ranks,
/// `RecursiveDoubling`. Exact for powers of two.
[[nodiscard]] inline double rabenseifner(const Network& network, std::uint64_t ranks,
                                         std::uint64_t size) {
    RecursiveDoubling doubling(network, ranks);
    doubling.repeat();
    for (std::uint32_t k = 0; k < doubling.levels(); ++k) {
        const auto bytes = static_cast<double>(doubling.share_of_core(size << k));
        const std::uint32_t bit = doubling.levels() - 1 - k;  // near ones exchange most
        doubling.round(bytes, bit, 2);
    }
    return doubling.finish(static_cast<double>(size), static_cast<double>(size));
}

/// Up and down a binomial tree: `2 log P T(m)`. Exact for powers of two; see `up_binomial`.
/// Stops above `cutoff`, see `any_time`.
[[nodiscard]] inline double reduce_bcast(const Network& network, std::uint64_t ranks,
                                         std::uint64_t size, double cutoff = any_time) {
    const double down = down_binomial_whole(network, ranks, size);
    if (down > cutoff) return down;
    return up_binomial(network, ranks, [&](std::uint64_t) { return size; }) + down;
}

}  // namespace lapwing::model::allreduce

#pragma once

#include <cstdint>

#include "lapwing/model/collectives/folded.hpp"
#include "lapwing/model/collectives/rounds.hpp"
#include "lapwing/model/collectives/trees.hpp"

/// Every rank has `size` bytes, all are to have their sum: seconds until the last has. Combining is
/// free.
namespace lapwing::model::allreduce {

/// `log P T(m)`; of other numbers of ranks, `Folded`. Exact.
[[nodiscard]] inline double recursive_doubling(const Network& network, std::uint64_t ranks,
                                               std::uint64_t size) {
    Folded folded(network, ranks);
    const auto bytes = static_cast<double>(size);
    for (std::uint32_t k = 0; k < folded.levels(); ++k) folded.round(bytes, k);
    return folded.finish(bytes, bytes);
}

/// Round the ring twice: `2 (P-1) T(m/P)`. Exact.
[[nodiscard]] inline double ring(const Network& network, std::uint64_t ranks, std::uint64_t size) {
    return 2 * model::ring(network, ranks, static_cast<double>(share(size, ranks)));
}

/// Recursive halving, then doubling: `2 sum_k T(m/2^k)`; of other numbers of ranks, `Folded`. Exact
/// for powers of two.
[[nodiscard]] inline double rabenseifner(const Network& network, std::uint64_t ranks,
                                         std::uint64_t size) {
    Folded folded(network, ranks);
    folded.repeat();
    for (std::uint32_t k = 0; k < folded.levels(); ++k) {
        const auto bytes = static_cast<double>(folded.share_of_core(size << k));
        const std::uint32_t bit = folded.levels() - 1 - k;  // near ones exchange most
        folded.round(bytes, bit, 2);
    }
    return folded.finish(static_cast<double>(size), static_cast<double>(size));
}

/// Up and down a binomial tree: `2 log P T(m)`. Exact for powers of two; see `up_binomial`. Of use
/// up to `enough`.
[[nodiscard]] inline double reduce_bcast(const Network& network, std::uint64_t ranks,
                                         std::uint64_t size, double enough = any_time) {
    const double down = down_binomial_whole(network, ranks, size);
    if (down > enough) return down;
    return up_binomial(network, ranks, [&](std::uint64_t) { return size; }) + down;
}

}  // namespace lapwing::model::allreduce

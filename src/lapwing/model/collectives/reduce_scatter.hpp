#pragma once

#include <cstdint>

#include "lapwing/model/collectives/folded.hpp"
#include "lapwing/model/collectives/rounds.hpp"
#include "lapwing/model/collectives/trees.hpp"

/// Every rank has a block of `size` bytes for each rank, which is to have the sum of its blocks:
/// seconds until the last has. Combining is free.
namespace lapwing::model::reduce_scatter {

/// `sum_k T(m P/2^k)`. Exact for powers of two; of others an approximation, see `Folded`. Of use up
/// to `enough`.
[[nodiscard]] inline double recursive_halving(const Network& network, std::uint64_t ranks,
                                              std::uint64_t size, double enough = any_time) {
    Folded folded(network, ranks);
    for (std::uint32_t k = folded.levels(); k-- > 0;) {
        folded.round(static_cast<double>(size * folded.stand_for(std::uint64_t{1} << k)), k);
        if (folded.so_far() > enough) return folded.so_far();
    }
    return folded.finish(static_cast<double>(size * ranks), static_cast<double>(size));
}

/// `(P-1) T(m)`, the ranks one by one further away. Exact.
[[nodiscard]] inline double pairwise(const Network& network, std::uint64_t ranks,
                                     std::uint64_t size) {
    return all_distances(network, ranks, static_cast<double>(size));
}

/// `(P-1) T(m)`. Exact.
[[nodiscard]] inline double ring(const Network& network, std::uint64_t ranks, std::uint64_t size) {
    return model::ring(network, ranks, static_cast<double>(size));
}

/// All blocks up a binomial tree, then each down it to its rank: `log P T(m P) + sum_k T(m 2^k)`.
/// Exact for powers of two; see `up_binomial`. Of use up to `enough`.
[[nodiscard]] inline double reduce_then_scatter(const Network& network, std::uint64_t ranks,
                                                std::uint64_t size, double enough = any_time) {
    const double up = up_binomial(network, ranks, [&](std::uint64_t) { return size * ranks; });
    if (up > enough) return up;
    return up + down_binomial(network, ranks, [&](std::uint64_t n) { return size * n; });
}

}  // namespace lapwing::model::reduce_scatter

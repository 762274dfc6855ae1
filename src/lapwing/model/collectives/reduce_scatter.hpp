#pragma once

#include <cstdint>

#include "lapwing/model/collectives/recursive_doubling.hpp"
#include "lapwing/model/collectives/rounds.hpp"
#include "lapwing/model/collectives/trees.hpp"

/// Reduce-scatters: seconds until every rank has the sum of its blocks. `size`: bytes of a block,
/// of which each rank has one for every rank. Combining is free.
namespace lapwing::model::reduce_scatter {

/// `sum_k T(m P/2^k)`. Exact for powers of two; of others an approximation, see
/// `RecursiveDoubling`. Stops above `cutoff`, see `any_time`.
[[nodiscard]] inline double recursive_halving(const Network& network, std::uint64_t ranks,
                                              std::uint64_t size, double cutoff = any_time) {
    RecursiveDoubling doubling(network, ranks);
    for (std::uint32_t k = doubling.levels(); k-- > 0;) {
        doubling.round(static_cast<double>(size * doubling.stand_for(std::uint64_t{1} << k)), k);
        if (doubling.so_far() > cutoff) return doubling.so_far();
    }
    return doubling.finish(static_cast<double>(size * ranks), static_cast<double>(size));
}

/// `(P-1) T(m)`: each step with the ranks one further away. Exact.
[[nodiscard]] inline double pairwise(const Network& network, std::uint64_t ranks,
                                     std::uint64_t size) {
    return all_distances(network, ranks, static_cast<double>(size));
}

/// `(P-1) T(m)`. Exact.
[[nodiscard]] inline double ring(const Network& network, std::uint64_t ranks, std::uint64_t size) {
    return model::ring(network, ranks, static_cast<double>(size));
}

/// All blocks up a binomial tree, then each down it to its rank: `log P T(m P) + sum_k T(m 2^k)`.
/// Exact for powers of two; see `up_binomial`. Stops above `cutoff`, see `any_time`.
[[nodiscard]] inline double reduce_then_scatter(const Network& network, std::uint64_t ranks,
                                                std::uint64_t size, double cutoff = any_time) {
    const double up = up_binomial(network, ranks, [&](std::uint64_t) { return size * ranks; });
    if (up > cutoff) return up;
    return up + down_binomial(network, ranks, [&](std::uint64_t n) { return size * n; });
}

}  // namespace lapwing::model::reduce_scatter

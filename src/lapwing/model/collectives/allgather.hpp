#pragma once

#include <algorithm>
#include <cstdint>

#include "lapwing/model/collectives/recursive_doubling.hpp"
#include "lapwing/model/collectives/rounds.hpp"

/// Allgathers: seconds until every rank has the blocks of all. `size`: bytes of a block.
namespace lapwing::model::allgather {

/// `(P-1) T(m)`. Exact.
[[nodiscard]] inline double ring(const Network& network, std::uint64_t ranks, std::uint64_t size) {
    return model::ring(network, ranks, static_cast<double>(size));
}

/// `sum_k T(2^k m)`. Exact for powers of two; of others an approximation, see `RecursiveDoubling`.
[[nodiscard]] inline double recursive_doubling(const Network& network, std::uint64_t ranks,
                                               std::uint64_t size) {
    RecursiveDoubling doubling(network, ranks);
    for (std::uint32_t k = 0; k < doubling.levels(); ++k)
        doubling.round(static_cast<double>(size * doubling.stand_for(std::uint64_t{1} << k)), k);
    return doubling.finish(static_cast<double>(size), static_cast<double>(size * ranks));
}

/// `sum_k T(min(2^k, P - 2^k) m)`. Exact.
[[nodiscard]] inline double bruck(const Network& network, std::uint64_t ranks, std::uint64_t size) {
    return doubling(network, ranks, [&](std::uint32_t k) {
        const std::uint64_t distance = std::uint64_t{1} << k;
        return size * std::min(distance, ranks - distance);
    });
}

/// `T(m) + (P/2 - 1) T(2 m)` for an even number of ranks, of an odd one the ring. Exact.
[[nodiscard]] inline double neighbour_exchange(const Network& network, std::uint64_t ranks,
                                               std::uint64_t size) {
    if (ranks % 2 != 0) return ring(network, ranks, size);
    const auto bytes = static_cast<double>(size);
    const std::uint64_t rounds = ranks / 2;
    return pass_on(network, ranks, std::min<std::uint64_t>(rounds, 1), bytes) +
           pass_on(network, ranks, rounds - 1, 2 * bytes);
}

}  // namespace lapwing::model::allgather

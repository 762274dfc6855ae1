#pragma once

#include <algorithm>
#include <cstdint>

#include "lapwing/model/collectives/gather.hpp"
#include "lapwing/model/collectives/ports.hpp"
#include "lapwing/model/collectives/recursive_doubling.hpp"
#include "lapwing/model/collectives/rounds.hpp"
#include "lapwing/model/collectives/trees.hpp"

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

/// Rounds with distances `d = 2^k` that halve, and `(P - 1 + d) / 2d` messages at once in each. See
/// `RoundAtOnce`.
[[nodiscard]] inline double sparbit(const Network& network, std::uint64_t ranks,
                                    std::uint64_t size) {
    double sum = 0;
    for (std::uint32_t k = ceil_log(ranks); k-- > 0;) {
        const std::uint64_t distance = std::uint64_t{1} << k;
        const std::uint64_t blocks = (ranks - 1 + distance) / (2 * distance);
        RoundAtOnce round(network, ranks);
        round.add(static_cast<double>(size), distance, static_cast<double>(blocks));
        sum += round.seconds();
    }
    return sum;
}

/// Rounds with distances `d = k^i`, of `k - 1` messages of `d m` at once. See `RoundAtOnce`.
[[nodiscard]] inline double k_bruck(const Network& network, std::uint64_t ranks, std::uint64_t size,
                                    std::uint64_t radix) {
    double sum = 0;
    for (std::uint64_t distance = 1; distance < ranks; distance *= radix) {
        RoundAtOnce round(network, ranks);
        round.to_different_ranks();
        const std::uint64_t peers = std::min(radix - 1, (ranks - 1) / distance);
        // What the last one lacks may be less.
        const std::uint64_t last = std::min(distance, ranks - peers * distance);
        round.add(static_cast<double>(size * distance), distance, static_cast<double>(peers - 1));
        round.add(static_cast<double>(size * last), peers * distance);
        sum += round.seconds();
    }
    return sum;
}

/// A binomial gather, then all blocks down a binomial tree: `sum_k T(2^k m) + log P T(P m)`. Exact
/// for powers of two; see `up_binomial`. Stops above `cutoff`, see `any_time`.
[[nodiscard]] inline double gather_bcast(const Network& network, std::uint64_t ranks,
                                         std::uint64_t size, double cutoff = any_time) {
    const double down = down_binomial_whole(network, ranks, size * ranks);
    if (down > cutoff) return down;
    return gather::binomial(network, ranks, size) + down;
}

/// `sum_k T(2^k m)`, the distant partners first. Exact for powers of two; see `RecursiveDoubling`.
[[nodiscard]] inline double bine(const Network& network, std::uint64_t ranks, std::uint64_t size) {
    RecursiveDoubling doubling(network, ranks, Partners::bine);
    for (std::uint32_t k = 0; k < doubling.levels(); ++k)
        doubling.round(static_cast<double>(size * doubling.expected(std::uint64_t{1} << k)),
                       doubling.levels() - 1 - k);
    return doubling.finish(static_cast<double>(size), static_cast<double>(size * ranks));
}

/// The same with near partners first.
[[nodiscard]] inline double bine_two_blocks(const Network& network, std::uint64_t ranks,
                                            std::uint64_t size) {
    RecursiveDoubling doubling(network, ranks, Partners::bine);
    for (std::uint32_t k = 0; k < doubling.levels(); ++k)
        doubling.round(static_cast<double>(size * doubling.stand_for(std::uint64_t{1} << k)), k);
    return doubling.finish(static_cast<double>(size), static_cast<double>(size * ranks));
}

/// `T(m) + sum_k T(2^k m)`: blocks change places before. `bine` if the ranks are no power of two.
/// Exact.
[[nodiscard]] inline double bine_send(const Network& network, std::uint64_t ranks,
                                      std::uint64_t size) {
    const double plain = bine(network, ranks, size);
    if (ranks < 4 || !power_of_two(ranks)) return plain;
    return network.total(static_cast<double>(size), ranks / 2) + plain;
}

/// `2^k` messages of `m` at once in round k, see `RoundAtOnce`. `bine` if the ranks are no power of
/// two.
[[nodiscard]] inline double bine_block_by_block(const Network& network, std::uint64_t ranks,
                                                std::uint64_t size) {
    if (!power_of_two(ranks)) return bine(network, ranks, size);
    double sum = 0;
    for (std::uint32_t k = 0; k < floor_log(ranks); ++k) {
        RoundAtOnce round(network, ranks);
        round.add(static_cast<double>(size), bine_distance(floor_log(ranks) - 1 - k),
                  static_cast<double>(std::uint64_t{1} << k));
        sum += round.seconds();
    }
    return sum;
}

}  // namespace lapwing::model::allgather

#pragma once

#include <algorithm>
#include <cstdint>

#include "lapwing/model/collectives/ports.hpp"
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

/// `sum_k T((P - 2^k) m)`. Exact for powers of two; of others an approximation, see
/// `RecursiveDoubling`. Stops above `cutoff`, see `any_time`.
[[nodiscard]] inline double recursive_doubling(const Network& network, std::uint64_t ranks,
                                               std::uint64_t size, double cutoff = any_time) {
    RecursiveDoubling doubling(network, ranks);
    for (std::uint32_t k = 0; k < doubling.levels(); ++k) {
        const std::uint64_t blocks = ranks - doubling.stand_for(std::uint64_t{1} << k);
        doubling.round(static_cast<double>(size * blocks), k);
        if (doubling.so_far() > cutoff) return doubling.so_far();
    }
    return doubling.finish(static_cast<double>(size * ranks), static_cast<double>(size));
}

/// Halving with near partners first, after which blocks change places: `sum_k T(m P/2^k) + T(m)`.
/// Exact for powers of two; of others an approximation, see `RecursiveDoubling`. Stops above
/// `cutoff`, see `any_time`.
[[nodiscard]] inline double butterfly(const Network& network, std::uint64_t ranks,
                                      std::uint64_t size, double cutoff = any_time) {
    if (ranks < 2) return 0;
    RecursiveDoubling doubling(network, ranks);
    for (std::uint32_t step = 0; step < doubling.levels(); ++step) {
        const std::uint64_t half = doubling.cores() >> (step + 1);
        doubling.round(static_cast<double>(size * doubling.expected(half)), step);
        if (doubling.so_far() > cutoff) return doubling.so_far();
    }
    const MessageCost cost = network.message(static_cast<double>(size), ranks / 2);
    // Two cores have their own blocks.
    double places = doubling.levels() > 1 || doubling.twos() > 0 ? cost.total() : 0;
    if (doubling.levels() > 1 && doubling.twos() > 0) places += std::max(cost.send, cost.wire);
    return doubling.begun(static_cast<double>(size * ranks)) + places;
}

/// `sum_k T(m P/2^k)` over the Bine butterfly. Exact for powers of two; of others an approximation,
/// see `RecursiveDoubling`. Stops above `cutoff`, see `any_time`.
[[nodiscard]] inline double bine(const Network& network, std::uint64_t ranks, std::uint64_t size,
                                 double cutoff = any_time) {
    RecursiveDoubling doubling(network, ranks, Partners::bine);
    for (std::uint32_t step = 0; step < doubling.levels(); ++step) {
        const std::uint64_t half = doubling.cores() >> (step + 1);
        doubling.round(static_cast<double>(size * doubling.expected(half)), step);
        if (doubling.so_far() > cutoff) return doubling.so_far();
    }
    return doubling.finish(static_cast<double>(size * ranks), static_cast<double>(size));
}

/// The same, after which blocks change places: `T(m)` more. `bine` if the ranks are no power of
/// two. Exact.
[[nodiscard]] inline double bine_send(const Network& network, std::uint64_t ranks,
                                      std::uint64_t size, double cutoff = any_time) {
    const double plain = bine(network, ranks, size, cutoff);
    if (ranks < 4 || !power_of_two(ranks) || plain > cutoff) return plain;
    return plain + network.total(static_cast<double>(size), ranks / 2);
}

/// As many messages of `m` at once as there are blocks to send, see `RoundAtOnce`. `bine` if the
/// ranks are no power of two.
[[nodiscard]] inline double bine_block_by_block(const Network& network, std::uint64_t ranks,
                                                std::uint64_t size, double cutoff = any_time) {
    if (!power_of_two(ranks)) return bine(network, ranks, size, cutoff);
    double sum = 0;
    for (std::uint32_t step = 0; step < floor_log(ranks); ++step) {
        RoundAtOnce round(network, ranks);
        round.add(static_cast<double>(size), bine_distance(step),
                  static_cast<double>(ranks >> (step + 1)));
        sum += round.seconds();
    }
    return sum;
}

}  // namespace lapwing::model::reduce_scatter

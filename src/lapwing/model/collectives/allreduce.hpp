#pragma once

#include <algorithm>
#include <cstdint>

#include "lapwing/model/collectives/allgather.hpp"
#include "lapwing/model/collectives/fan.hpp"
#include "lapwing/model/collectives/recursive_doubling.hpp"
#include "lapwing/model/collectives/reduce.hpp"
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

/// All ranks send to one, which then sends to all. Exact.
[[nodiscard]] inline double linear(const Network& network, std::uint64_t ranks,
                                   std::uint64_t size) {
    return reduce::linear(network, ranks, size) +
           fan_out(network, ranks, static_cast<double>(size));
}

/// A ring for each of `n` segments of a block, which are combined, then one for whole blocks: `n
/// (P-1) T(m/P n) + (P-1) T(m/P)`. Exact.
[[nodiscard]] inline double segmented_ring(const Network& network, std::uint64_t ranks,
                                           std::uint64_t size, std::uint64_t segment) {
    const std::uint64_t block = share(size, ranks);
    const std::uint64_t phases = std::max<std::uint64_t>(1, share(block, segment));
    const auto piece = static_cast<double>(share(size, ranks * phases));
    return static_cast<double>(phases) * model::ring(network, ranks, piece) +
           model::ring(network, ranks, static_cast<double>(block));
}

/// An allgather of all data by recursive doubling: `sum_k T(2^k m)`. Exact for powers of two.
[[nodiscard]] inline double allgather_reduce(const Network& network, std::uint64_t ranks,
                                             std::uint64_t size) {
    return allgather::recursive_doubling(network, ranks, size);
}

/// `log P T(m)` over the Bine butterfly. Exact for powers of two; see `RecursiveDoubling`.
[[nodiscard]] inline double bine(const Network& network, std::uint64_t ranks, std::uint64_t size) {
    RecursiveDoubling doubling(network, ranks, Partners::bine);
    const auto bytes = static_cast<double>(size);
    for (std::uint32_t k = 0; k < doubling.levels(); ++k) doubling.round(bytes, k);
    return doubling.finish(bytes, bytes);
}

/// Halving, then doubling, over the Bine butterfly: `2 sum_k T(m/2^k)`. Exact for powers of two;
/// see `RecursiveDoubling`.
[[nodiscard]] inline double bine_scatter_allgather(const Network& network, std::uint64_t ranks,
                                                   std::uint64_t size) {
    RecursiveDoubling doubling(network, ranks, Partners::bine);
    doubling.repeat();
    for (std::uint32_t step = 0; step < doubling.levels(); ++step) {
        const std::uint64_t part = size << (doubling.levels() - 1 - step);
        doubling.round(static_cast<double>(doubling.share_of_core(part)), step, 2);
    }
    return doubling.finish(static_cast<double>(size), static_cast<double>(size));
}

/// The same with the messages of the halving in `n` segments of `s` bytes. A rank sends one when it
/// has received the one before, so each message takes `n T(s)`.
[[nodiscard]] inline double bine_segmented(const Network& network, std::uint64_t ranks,
                                           std::uint64_t size, std::uint64_t segment) {
    RecursiveDoubling doubling(network, ranks, Partners::bine);
    doubling.repeat();
    for (std::uint32_t step = 0; step < doubling.levels(); ++step) {
        const std::uint64_t part = size << (doubling.levels() - 1 - step);
        const std::uint64_t bytes = doubling.share_of_core(part);
        const std::uint64_t segments = std::max<std::uint64_t>(1, share(bytes, segment));
        doubling.round(static_cast<double>(share(bytes, segments)), step, segments);
        doubling.round(static_cast<double>(bytes), step);
    }
    return doubling.finish(static_cast<double>(size), static_cast<double>(size));
}

}  // namespace lapwing::model::allreduce

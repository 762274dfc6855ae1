#pragma once

#include <cstdint>

#include "lapwing/model/collectives/fan.hpp"
#include "lapwing/model/collectives/recursive_doubling.hpp"
#include "lapwing/model/collectives/rounds.hpp"
#include "lapwing/model/collectives/trees.hpp"

/// Barriers: seconds until the last of `ranks` may go on. `size`: bytes of a message.
namespace lapwing::model::barrier {

/// `ceil(log P) T(m)`. Exact.
[[nodiscard]] inline double dissemination(const Network& network, std::uint64_t ranks,
                                          std::uint64_t size) {
    return doubling(network, ranks, [&](std::uint32_t) { return size; });
}

/// `log P T(m)`; of other numbers of ranks, `RecursiveDoubling`. Exact.
[[nodiscard]] inline double recursive_doubling(const Network& network, std::uint64_t ranks,
                                               std::uint64_t size) {
    RecursiveDoubling doubling(network, ranks);
    const auto bytes = static_cast<double>(size);
    for (std::uint32_t k = 0; k < doubling.levels(); ++k) doubling.round(bytes, k);
    return doubling.finish(bytes, bytes);
}

/// Up and down a binomial tree: `2 log P T(m)`. Exact for powers of two; see `up_binomial`.
/// Stops above `cutoff`, see `any_time`.
[[nodiscard]] inline double tree(const Network& network, std::uint64_t ranks, std::uint64_t size,
                                 double cutoff = any_time) {
    const double down = down_binomial_whole(network, ranks, size);
    if (down > cutoff) return down;
    return up_binomial(network, ranks, [&](std::uint64_t) { return size; }) + down;
}

/// All ranks send to one, which awaits them as they come, then sends to all. Exact.
[[nodiscard]] inline double linear(const Network& network, std::uint64_t ranks,
                                   std::uint64_t size) {
    const auto bytes = static_cast<double>(size);
    return fan_in(network, ranks, bytes, Receives::at_once) + fan_out(network, ranks, bytes);
}

}  // namespace lapwing::model::barrier

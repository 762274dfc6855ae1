#pragma once

#include <cstdint>

#include "lapwing/model/collectives/fan.hpp"
#include "lapwing/model/collectives/trees.hpp"

/// Gathers: seconds until one rank has the blocks of all. `size`: bytes of a block.
namespace lapwing::model::gather {

/// `sum_k T(2^k m)`; of other numbers of ranks, `up_binomial`. Exact.
[[nodiscard]] inline double binomial(const Network& network, std::uint64_t ranks,
                                     std::uint64_t size) {
    return up_binomial(network, ranks, [&](std::uint64_t n) { return size * n; });
}

/// The root receives from the first rank up, while messages arrive from the last one down: `T(m) +
/// (P-2) (G m + o_r)`, or `fan_in_awaited` if messages wait for their receives. Exact.
[[nodiscard]] inline double linear(const Network& network, std::uint64_t ranks,
                                   std::uint64_t size) {
    const auto bytes = static_cast<double>(size);
    return network.between(bytes).waits ? fan_in_awaited(network, ranks, bytes)
                                        : fan_in_reversed(network, ranks, bytes);
}

}  // namespace lapwing::model::gather

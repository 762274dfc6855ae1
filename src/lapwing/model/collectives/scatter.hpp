#pragma once

#include <cstdint>

#include "lapwing/model/collectives/fan.hpp"
#include "lapwing/model/collectives/trees.hpp"

/// One rank has a block of `size` bytes for each: seconds until the last has its block.
namespace lapwing::model::scatter {

/// `sum_k T(2^k m)`; of other numbers of ranks, `down_binomial`. Exact.
[[nodiscard]] inline double binomial(const Network& network, std::uint64_t ranks,
                                     std::uint64_t size) {
    return down_binomial(network, ranks, [&](std::uint64_t n) { return size * n; });
}

/// The nearest rank first, as Open MPI has it: the last child, which has half of the blocks, waits
/// for the others. Exact.
[[nodiscard]] inline double binomial_nearest_first(const Network& network, std::uint64_t ranks,
                                                   std::uint64_t size) {
    return down_binomial_nearest_first(network, ranks, [&](std::uint64_t n) { return size * n; });
}

/// `o_s + (P-2) max(o_s, G m) + L + G m + o_r`. Exact.
[[nodiscard]] inline double linear(const Network& network, std::uint64_t ranks,
                                   std::uint64_t size) {
    return fan_out(network, ranks, static_cast<double>(size));
}

}  // namespace lapwing::model::scatter

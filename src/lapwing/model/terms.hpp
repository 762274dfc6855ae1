#pragma once

#include <array>
#include <span>

namespace lapwing::model {

/// The numbers of sizes and strides for which a model has a cost of one implicit transfer.
struct Extent {
    int sizes = 1;    ///< S
    int strides = 0;  ///< D, besides contiguous data
};

/// The number of terms of a model: `sum_i S_i (1 + D_i)` over the implicit transfers (Cameron 2007,
/// section 5 and figure 13b).
[[nodiscard]] constexpr int terms(std::span<const Extent> transfers) {
    int sum = 0;
    for (const auto& each : transfers) sum += each.sizes * (1 + each.strides);
    return sum;
}

/// `N S (1 + D)`: log_nP and the copy-transfer model.
[[nodiscard]] constexpr int lognp_terms(int N, const Extent& each) {
    return N * each.sizes * (1 + each.strides);
}
/// `3 S (1 + D)`: log_3P and memory logP.
[[nodiscard]] constexpr int log3p_terms(const Extent& each) { return lognp_terms(3, each); }
[[nodiscard]] constexpr int pram_terms() { return lognp_terms(1, {}); }
[[nodiscard]] constexpr int logp_terms() { return log3p_terms({}); }
/// LogGP: its source has one cost for short and one for long messages.
[[nodiscard]] constexpr int loggp_terms() {
    return terms(std::array{Extent{2, 0}, Extent{}, Extent{}});
}
/// LoPC: the terms of LogP, and those of the queueing estimate.
[[nodiscard]] constexpr int lopc_terms(int queueing) { return logp_terms() + queueing; }

}  // namespace lapwing::model

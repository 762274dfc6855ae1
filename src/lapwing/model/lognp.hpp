#pragma once

#include <algorithm>
#include <span>

namespace lapwing::model {

/// The terms of one implicit transfer, seconds (Cameron, Ge, Sun 2007, section 2).
struct Transfer {
    double o = 0;  ///< o_i(s): contiguous data
    double l = 0;  ///< l_i(s, d): extra time of the stride
    double g = 0;  ///< g_i: the gap under contention
};

/// log_nP: `sum_i max(o_i, g_i) + l_i` seconds over the implicit transfers of one message
/// (equation 1).
[[nodiscard]] inline double lognp(std::span<const Transfer> transfers) {
    double sum = 0;
    for (const auto& transfer : transfers) sum += std::max(transfer.o, transfer.g) + transfer.l;
    return sum;
}

}  // namespace lapwing::model

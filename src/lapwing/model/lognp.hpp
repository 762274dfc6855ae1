#pragma once

#include <algorithm>
#include <span>

namespace lapwing::model {

/// What one implicit transfer takes, seconds (Cameron, Ge, Sun 2007, section 2).
struct Transfer {
    double o = 0;  ///< o_i(s): the data side by side
    double l = 0;  ///< l_i(s, d): what its stride adds
    double g = 0;  ///< g_i: where other messages contend
};

/// log_nP: `sum_i max(o_i, g_i) + l_i` seconds over the implicit transfers of one message
/// (equation 1).
[[nodiscard]] inline double lognp(std::span<const Transfer> transfers) {
    double sum = 0;
    for (const auto& transfer : transfers) sum += std::max(transfer.o, transfer.g) + transfer.l;
    return sum;
}

}  // namespace lapwing::model

#pragma once

#include <vector>

#include "lapwing/model/network.hpp"
#include "lapwing/predict/predict.hpp"
#include "lapwing/profile/log3p.hpp"

namespace lapwing {

/// What it takes an operation more, or less, to begin with a message of so many bytes after a rest
/// than in turn with others, as the total of a message: what was measured either way. As much
/// beyond the measured sizes as at the nearest. `alone`: what a message side by side takes in turn,
/// by the sizes of the table, seconds.
[[nodiscard]] model::MessageCosts after_rest(const Log3P& table, const std::vector<double>& alone,
                                             const Operation& operation);

/// What packing by hand at both ends makes a message of so many bytes longer, `stride` bytes from
/// one element to the next, as the total of a message. `alone`: as above.
[[nodiscard]] model::MessageCosts packed_by_hand(const Log3P& table,
                                                 const std::vector<double>& alone, double stride);

}  // namespace lapwing

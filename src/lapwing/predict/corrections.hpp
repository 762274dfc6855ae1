#pragma once

#include <vector>

#include "lapwing/model/network.hpp"
#include "lapwing/predict/predict.hpp"
#include "lapwing/profile/log3p.hpp"

namespace lapwing {

/// Seconds to add to an operation because its first message is isolated, not one of several back to
/// back. They are the difference of the two measured times, by the size of that message. May be
/// negative. Constant beyond the measured sizes. `contiguous`: seconds of a contiguous message
/// among others, for each size of `table`.
[[nodiscard]] model::MessageCosts isolated_correction(const Log3P& table,
                                                      const std::vector<double>& contiguous,
                                                      const Operation& operation);

/// Seconds to add to a contiguous message because the data is packed by hand at one end and
/// unpacked at the other, by the size of the message. `stride`: bytes from one element to the next.
/// `contiguous`: as above.
[[nodiscard]] model::MessageCosts packing_correction(const Log3P& table,
                                                     const std::vector<double>& contiguous,
                                                     double stride);

}  // namespace lapwing

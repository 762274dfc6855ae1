#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// Whether what the wire takes for a message lies on a straight line between neighbouring measured
/// sizes, to a tenth. Where it does not, as with switches of protocol, nobody knows what a size in
/// between costs. `most`: bytes of messages for which anybody asks.
[[nodiscard]] bool straight_between_sizes(const Profile& profile,
                                          double most = std::numeric_limits<double>::infinity());

/// The `count` largest of the measured `sizes`, which increase, in whole grains and largest first,
/// that are not above `most`; all bytes. Fewer, or none, where there are not so many.
[[nodiscard]] std::vector<std::uint64_t> measured_sizes(const std::vector<std::uint64_t>& sizes,
                                                        std::uint64_t most, std::uint64_t grain,
                                                        std::size_t count);

}  // namespace lapwing

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "lapwing/profile/link_costs.hpp"

namespace lapwing {

/// Whether a flood's time for a message lies on a straight line between neighbouring measured
/// sizes, to a tenth, for messages of up to `most` bytes. Where it does not, as around a protocol
/// switch, nobody knows what a size in between costs.
[[nodiscard]] bool is_piecewise_linear(const LinkCosts& link,
                                       double most = std::numeric_limits<double>::infinity());

/// Whether no message of up to `most` bytes takes longer by itself, by more than a tenth, than
/// latency, wire and rendezvous tell.
[[nodiscard]] bool latency_is_linear(const LinkCosts& link, double most);

/// The `count` largest of the measured `sizes` (increasing) that are not above `most`, in whole
/// grains, largest first; all bytes.
[[nodiscard]] std::vector<std::uint64_t> measured_sizes(const std::vector<std::uint64_t>& sizes,
                                                        std::uint64_t most, std::uint64_t grain,
                                                        std::size_t count);

}  // namespace lapwing

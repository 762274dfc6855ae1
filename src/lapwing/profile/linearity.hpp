#pragma once

#include <limits>

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

}  // namespace lapwing

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/profile/protocol.hpp"
#include "lapwing/simulate/costs/timings.hpp"

namespace lapwing::simulate {

/// The indices of the switches that lie between two sizes and are next to neither.
[[nodiscard]] std::vector<std::size_t> switches_between(const std::vector<std::uint64_t>& switches,
                                                        std::uint64_t from, std::uint64_t to);

/// Half a round trip with a step at each protocol switch inside a table interval, where a straight
/// line would hide it. A step is two entries, at the switch and one byte behind it, joined to their
/// neighbours by the slope that remains. The slope stays between half the flatter and twice the
/// steeper adjacent slope. The step takes the rest, because switch sizes are known more precisely
/// than their costs.
[[nodiscard]] Timings with_switches(const Timings& half_round_trip, const Protocol& protocol);

}  // namespace lapwing::simulate

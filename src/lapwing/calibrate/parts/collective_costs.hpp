#pragma once

#include <cstdint>

#include "lapwing/calibrate/parts/context.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// Measures what a collective costs a rank besides its messages, as far as two ranks show it. These
/// are combining, copying, packing, messages that meet others or come before their receives, and
/// new memory of the system. Both ranks call it; the result is rank 0's `profile.collectives`.
/// `profile.loggp.G` must be known there.
///
/// The skew of the ranks stays 0. Clocks of two nodes can be compared to a part of a message's time
/// only. That is as much as the skew of two ranks. Only many ranks show how it grows.
///
/// `longest`: bytes of the longest message, which is shorter where it would keep the wire busy for
/// longer than `context.longest`.
void measure_collective_costs(Context& context, std::uint64_t longest, Profile& profile);

}  // namespace lapwing

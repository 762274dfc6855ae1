#pragma once

#include <cstdint>

#include "lapwing/calibrate/parts/context.hpp"
#include "lapwing/calibrate/ranks/pair_messages.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// or(m): seconds that rank 0 spends on receiving a message of `size` bytes that has already
/// arrived, `delay` seconds after it was sent. If a message moves only while its receiver calls the
/// transport, that includes the transfer, as LogMPI finds it too.
double receive_arrived(TwoSidedPair& pair, Buffers& buffers, std::uint64_t size, double delay);

/// Measures parameterised LogP as LogMPI does (Kielmann 2000; March 3.1), for messages of one byte
/// up to `largest`: os(m) is a blocking send, or(m) the receipt of a message that is already there,
/// g'(m) what each message adds to a train of them, and L' half a round trip less g'(1), as RTT(1)
/// = 2 (L' + g'(1)). The table ends before a message that keeps the wire busy for longer than
/// `context.longest`. Both ranks call it; rank 0 has the result in `profile.plogp`.
void measure_plogp(Context& context, std::uint64_t largest, Profile& profile);

}  // namespace lapwing

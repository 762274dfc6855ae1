#pragma once

#include <cstdint>

#include "lapwing/calibrate/parts/context.hpp"
#include "lapwing/calibrate/ranks/pair_messages.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// Where to look for changes of a transport's protocol.
struct ProtocolOptions {
    std::uint64_t smallest = 16;      ///< bytes of the shortest message
    std::uint64_t largest = 1 << 20;  ///< bytes of the longest
    std::uint64_t message = 16384;    ///< bytes of each of many messages outstanding
    std::uint64_t most = 32 << 20;    ///< bytes outstanding
    int deepest = 256;                ///< messages outstanding
    double longest = 20e-3;           ///< seconds one message may keep the wire busy
    double longest_flood = 70e-3;     ///< seconds many messages may

    /// Fewer sizes, in a second.
    static ProtocolOptions quick();
};

/// Measures where a transport changes how it moves a message, and how much it takes at once. Both
/// ranks call it; rank 0 has the result in `profile.protocol`. `context.switches` then has, on both
/// ranks, the sizes at which the wire's rate changes. On a real machine it also has those at which
/// a message by itself clearly takes longer. In simulated time a jump is known exactly.
/// `profile.bandwidth` gets entries on both sides of the former.
void measure_protocol(Context& context, const ProtocolOptions& options, Profile& profile);

}  // namespace lapwing

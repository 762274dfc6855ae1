#pragma once

#include <algorithm>
#include <cstdint>

#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::simulate {

/// The LogGOPS machine (Hoefler, Schneider, Lumsdaine 2010): LogGP, with O for the processor's time
/// per byte and S for the size up to which messages are eager. Whole nanoseconds. Costs as
/// LogGOPSim takes them, the first byte in `o` and `g`:
///
///     a send takes the processor  o + (s-1) O              and its network interface  g + (s-1) G
///     the first byte arrives      o + L                    after the send started
///     a receive takes the processor  o + (s-1) max(O, G)   and its network interface  g + (s-1) G
///
/// Sending and receiving have an interface each. A message of more than S bytes is a rendezvous:
/// its send ends when it meets its receive. An empty message is by the same formulas one byte
/// cheaper than a message of one byte, but nothing is ever cheaper than free.
struct LogGOPS {
    /// Ticks of this machine's time in a nanosecond.
    static constexpr Time nanosecond = 1;

    Time L = 2500;            ///< latency, ns
    Time o = 1500;            ///< processor overhead per message, ns
    Time g = 1000;            ///< gap between messages, ns
    Time G = 6;               ///< gap per byte, ns
    Time O = 0;               ///< processor overhead per byte, ns
    std::uint64_t S = 65535;  ///< the largest eager message, bytes

    /// The costs of one message at one end, ns.
    struct Cost {
        Time processor = 0;  ///< time it takes of the processor
        Time interface = 0;  ///< time it takes of the network interface
    };

    /// Of sending `size` bytes from `from` to `to`.
    [[nodiscard]] Cost send(Rank /*from*/, Rank /*to*/, std::uint64_t size) const {
        const Time bytes = beyond_the_first(size);
        return {std::max<Time>(0, o + bytes * O), std::max<Time>(0, g + bytes * G)};
    }
    /// Of receiving them.
    [[nodiscard]] Cost receive(Rank /*from*/, Rank /*to*/, std::uint64_t size) const {
        const Time bytes = beyond_the_first(size);
        // What an empty message saves is the lesser of G and O, or the one there is.
        const Time byte = bytes >= 0 || O == 0 || G == 0 ? std::max(O, G) : std::min(O, G);
        return {std::max<Time>(0, o + bytes * byte), std::max<Time>(0, g + bytes * G)};
    }
    /// From the start of the send until the message arrives, ns.
    [[nodiscard]] Time flight(Rank /*from*/, Rank /*to*/, std::uint64_t /*size*/) const {
        return o + L;
    }
    [[nodiscard]] bool rendezvous(Rank /*from*/, Rank /*to*/, std::uint64_t size) const {
        return size > S;
    }

  private:
    static Time beyond_the_first(std::uint64_t size) { return static_cast<Time>(size) - 1; }
};

}  // namespace lapwing::simulate

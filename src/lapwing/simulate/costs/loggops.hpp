#pragma once

#include <algorithm>
#include <cstdint>

#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::simulate {

/// The LogGOPS machine (Hoefler, Schneider, Lumsdaine 2010): LogGP, with O for the processor's time
/// per byte and S for the size up to which messages are eager. Whole nanoseconds. Costs are
/// LogGOPSim's, with the first byte in `o` and `g`:
///
///     a send occupies its processor for      o + (s-1) O          and its interface for  g + (s-1)
///     G a receive occupies its processor for   o + (s-1) max(O, G)  and its interface for  g +
///     (s-1) G a message arrives                      o + L                after its send started
///
/// Sending and receiving have an interface each. A message of more than S bytes is a rendezvous:
/// its send ends when it meets its receive. By the same formulas an empty message costs one byte
/// less than a message of one byte, but never less than nothing.
struct LogGOPS {
    /// Ticks of this machine's time in a nanosecond.
    static constexpr Time nanosecond = 1;

    Time L = 2500;            ///< latency, ns
    Time o = 1500;            ///< processor overhead per message, ns
    Time g = 1000;            ///< gap between messages, ns
    Time G = 6;               ///< gap per byte, ns
    Time O = 0;               ///< processor overhead per byte, ns
    std::uint64_t S = 65535;  ///< the largest eager message, bytes

    /// For how long a message occupies resources at one end, ns.
    struct Cost {
        Time processor = 0;
        Time interface = 0;
    };

    /// Of sending `size` bytes.
    [[nodiscard]] Cost send(Rank /*from*/, Rank /*to*/, std::uint64_t size) const {
        const Time bytes = beyond_the_first(size);
        return {std::max<Time>(0, o + bytes * O), std::max<Time>(0, g + bytes * G)};
    }
    /// Of receiving them.
    [[nodiscard]] Cost receive(Rank /*from*/, Rank /*to*/, std::uint64_t size) const {
        const Time bytes = beyond_the_first(size);
        // What an empty message saves is the smaller of G and O, or the one that is not 0.
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

#pragma once

#include <cstdint>

#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::simulate {

/// What an event is about. Operations that become ready together start in the order of their kinds:
/// sends, receives, calculations, as in LogGOPSim.
enum class Kind : std::uint8_t {
    send,
    receive,
    calculation,
    message,     ///< a message arrives at its host
    injected,    ///< the sender's processor has handed a message over
    retry_send,  ///< resources of a host are free again: its first send that waits
    retry_calculation,
    retry_message,
    on_link,       ///< the first byte of a message is at its links
    off_link,      ///< the last byte has left its links
    delivered,     ///< enough of a message has arrived for its receiver to begin
    acknowledged,  ///< the sender of a message knows of its arrival
    links_updated  ///< all else of this time has happened: links go to messages that wait
};

/// Something that happens on a host. Events happen in the order of `time`, those of one time in the
/// order of their places: see `Machine`.
struct Event {
    Time time = 0;
    std::uint64_t order = 0;  ///< place among the events of one time, and kind: see `ordered`
    std::uint64_t size = 0;   ///< bytes of a message; number of sends that follow each other
    std::uint32_t host = 0;
    std::uint32_t peer = 0;  ///< sender of a message
    std::uint32_t id = 0;    ///< operation, as the program numbers it; of a message, its send
    std::uint32_t key = 0;   ///< what a message is matched by; which of several sends is next

    [[nodiscard]] Kind kind() const { return static_cast<Kind>(order & 15U); }
    [[nodiscard]] std::uint64_t place() const { return order >> 4U; }
    static std::uint64_t ordered(std::uint64_t place, Kind kind) {
        return place << 4U | static_cast<std::uint64_t>(kind);
    }
};

/// Whether `a` happens before `b`.
inline bool before(const Event& a, const Event& b) {
    return a.time != b.time ? a.time < b.time : a.order < b.order;
}

}  // namespace lapwing::simulate

#pragma once

#include <cstdint>

#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::simulate {

/// What an event is about. Operations that become ready together start in this order: sends,
/// receives, calculations (LogGOPSim's order).
enum class Kind : std::uint8_t {
    send,
    receive,
    calculation,
    message,     ///< arrives at its host
    injected,    ///< a message is, and starts on its way or asks for its receive
    retry_send,  ///< a host's resources are free again: its first waiting send
    retry_calculation,
    retry_message,
    on_link,       ///< the first byte of a message is at the links on its way
    off_link,      ///< the last byte has left them
    delivered,     ///< so much of it is there that its receiver can begin with it
    links_updated  ///< all of this time has happened: links go to those that wait
};

/// Something that happens on a host. Events happen in the order of `time`, those of one time in the
/// order in which they came into being: an operation when what it depends on ended, a message when
/// it was sent.
struct Event {
    Time time = 0;
    std::uint64_t order = 0;  ///< place among the events of one time, and the kind: `ordered`
    std::uint64_t size = 0;   ///< bytes of a message; how many operations in a row
    std::uint32_t host = 0;
    std::uint32_t peer = 0;  ///< where a message comes from
    std::uint32_t id = 0;    ///< operation, as the schedule numbers it; of a message, its send
    std::uint32_t key = 0;   ///< by which a message meets its receive; which of several operations

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

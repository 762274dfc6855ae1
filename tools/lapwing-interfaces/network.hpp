#pragma once

#include <simgrid/s4u/Host.hpp>

#include "interface.hpp"

namespace lapwing::interfaces {

/// Bytes that SMPI adds to a message; transfers of one-sided operations have them, too.
inline constexpr double envelope = 16;

/// Moves `bytes` between two hosts for the interface that initiated it, and returns when they have
/// arrived. For workers.
void transfer(simgrid::s4u::Host& from, simgrid::s4u::Host& to, double bytes, Interface& initiator);

/// Seconds of a packet without data, such as a request or an acknowledgement. It is too short to
/// wait behind data.
[[nodiscard]] double packet_time(const simgrid::s4u::Host& from, const simgrid::s4u::Host& to);

/// The next empty message from `host` to itself takes no time.
void expect_free_message(const simgrid::s4u::Host& host);

}  // namespace lapwing::interfaces

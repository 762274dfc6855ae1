#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "lapwing/compute/clock.hpp"
#include "lapwing/pipeline/flight.hpp"
#include "lapwing/pipeline/tag.hpp"
#include "lapwing/plan/plan.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// Sends `data` to rank `peer`, cut into `sizes` (a range of bytes), at most `window` messages in
/// flight, no message earlier after another than that takes at `pace` seconds per byte.
/// The other side of `stream`.
template <Transport T, class Sizes>
void feed(T& transport, int peer, std::span<const std::byte> data, const Sizes& sizes, int window,
          double pace = 0) {
    Flight<typename T::Request> flight(window, 0);
    std::uint64_t index = 0;
    std::size_t offset = 0;
    double due = 0;
    for (const std::uint64_t size : sizes) {
        flight.make_room();
        if (pace > 0) {
            if (index > 0) wait_until(due);
            due = transport.now() + pace * static_cast<double>(size);
        }
        flight.push(transport.send(data.data() + offset, size, peer, message_tag(index)));
        offset += size;
        ++index;
    }
    flight.drain();
}

/// Sends `data` to rank `peer` as `plan` says.
template <Transport T, class Element>
void feed(T& transport, int peer, std::span<const Element> data, const Plan& plan) {
    feed(transport, peer, std::as_bytes(data), plan.messages, plan.window, plan.pace);
}

}  // namespace lapwing

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "lapwing/compute/clock.hpp"
#include "lapwing/pipeline/trace/trace.hpp"
#include "lapwing/pipeline/window/message_window.hpp"
#include "lapwing/plan/plan.hpp"
#include "lapwing/transport/failure/on_failure.hpp"
#include "lapwing/transport/tag.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// Sends `data` to rank `peer`, cut into `messages`, at most `window` of them in flight, no
/// message earlier after another than that takes at `pace` seconds per byte. The other side of
/// `stream`. `recorder`: a `Trace`, or nothing.
template <Transport T, Records Recorder = const NoTrace>
void feed(T& transport, int peer, std::span<const std::byte> data, const Messages& messages,
          int window, double pace = 0, Recorder& recorder = no_trace) {
    MessageWindow<typename T::Request, NoAttachment, Recorder> in_flight(window, 0, recorder);
    std::uint64_t message = 0;
    try {
        const std::byte* place = data.data();
        double due = 0;
        for (const Run& run : messages.runs()) {
            const std::uint64_t size = run.size;
            for (const std::uint64_t end = message + run.count; message < end; ++message) {
                in_flight.make_room();
                if (pace > 0) {
                    if (message > 0) wait_until(due);
                    due = transport.now() + pace * static_cast<double>(size);
                }
                in_flight.launch(
                    [&] { return transport.send(place, size, peer, message_tag(message)); });
                place += size;
            }
        }
        in_flight.drain();
    } catch (...) {
        failure::report("feed of rank " + std::to_string(peer) + ", message " +
                        std::to_string(message));
        throw;
    }
}

/// Sends all of `data` to each of `peers`, message by message, each message to one peer after the
/// other; at most `window` of them in flight to each, about: no peer's are awaited apart.
template <Transport T, Records Recorder = const NoTrace>
void feed(T& transport, std::span<const int> peers, std::span<const std::byte> data,
          const Messages& messages, int window, Recorder& recorder = no_trace) {
    if (peers.empty()) return;
    MessageWindow<typename T::Request, NoAttachment, Recorder> in_flight(
        window * static_cast<int>(peers.size()), 0, recorder);
    for (auto message = messages.begin(); message != Messages::end(); ++message) {
        for (const int peer : peers) {
            try {
                in_flight.make_room();
                in_flight.launch([&] {
                    return transport.send(data.data() + message.offset(), *message, peer,
                                          message_tag(message.index()));
                });
            } catch (...) {
                failure::report("feed of rank " + std::to_string(peer) + ", message " +
                                std::to_string(message.index()));
                throw;
            }
        }
    }
    in_flight.drain();
}

/// Sends `data` to rank `peer` as `plan` says.
template <Transport T, class Element, Records Recorder = const NoTrace>
void feed(T& transport, int peer, std::span<const Element> data, const Plan& plan,
          Recorder& recorder = no_trace) {
    feed(transport, peer, std::as_bytes(data), plan.messages, plan.window, plan.pace, recorder);
}

}  // namespace lapwing

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "lapwing/compute/clock.hpp"
#include "lapwing/pipeline/trace/trace.hpp"
#include "lapwing/pipeline/window/message_window.hpp"
#include "lapwing/pipeline/window/stream_tag.hpp"
#include "lapwing/plan/plan.hpp"
#include "lapwing/transport/failure/on_failure.hpp"
#include "lapwing/transport/streams.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// How `feed` sends: what it takes from a `Plan`.
struct FeedSettings {
    const Messages& messages;  ///< sizes
    int window = 1;            ///< messages in flight to each peer, at most
    double pace = 0;           ///< seconds per byte from one initiation to the next; 0: none
};

/// Sends `data` to rank `peer`, message by message, and returns when all of it has left. The other
/// side is `stream`. `recorder`: a `Trace`, or nothing.
template <Transport T, Records Recorder = const NoTrace>
void feed(T& transport, int peer, std::span<const std::byte> data, const FeedSettings& how,
          Recorder& recorder = no_trace) {
    OpenStreams<T> streams;
    MessageWindow<typename T::Request, NoAttachment, Recorder> in_flight(how.window, 0, recorder);
    std::uint64_t message = 0;
    try {
        streams.outgoing(transport, data, peer, StreamData::complete, how.messages, how.window);
        streams.await_offers();  // the pace is from one initiation to the next
        const std::byte* place = data.data();
        double due = 0;
        for (const auto& run : how.messages.runs()) {
            const std::uint64_t size = run.size;
            for (const std::uint64_t end = message + run.count; message < end; ++message) {
                in_flight.make_room();
                if (how.pace > 0) {
                    if (message > 0) wait_until(due);
                    due = transport.now() + how.pace * static_cast<double>(size);
                }
                in_flight.launch([&] {
                    return transport.send(place, size, peer,
                                          stream_tag(transport, how.messages, message));
                });
                place += size;
            }
        }
        in_flight.drain();
        streams.close();
    } catch (...) {
        failure::report("feed of rank " + std::to_string(peer) + ", message " +
                        std::to_string(message));
        throw;
    }
}

/// Sends `data` to rank `peer` as `plan` says. The other side is `stream` with the same plan.
template <Transport T, class Element, Records Recorder = const NoTrace>
void feed(T& transport, int peer, std::span<const Element> data, const Plan& plan,
          Recorder& recorder = no_trace) {
    feed(transport, peer, std::as_bytes(data), {plan.messages, plan.window, plan.pace}, recorder);
}

/// Sends all of `data` to each of `peers`: the first message to one after the other, then the
/// second. About `how.window` messages are in flight to each peer: the window is over all of them
/// together. The pace is not looked at.
template <Transport T, Records Recorder = const NoTrace>
void feed(T& transport, std::span<const int> peers, std::span<const std::byte> data,
          const FeedSettings& how, Recorder& recorder = no_trace) {
    if (peers.empty()) return;
    OpenStreams<T> streams;
    for (const int peer : peers)
        streams.outgoing(transport, data, peer, StreamData::complete, how.messages, how.window);
    MessageWindow<typename T::Request, NoAttachment, Recorder> in_flight(
        how.window * static_cast<int>(peers.size()), 0, recorder);
    for (auto message = how.messages.begin(); message != Messages::end(); ++message) {
        for (const int peer : peers) {
            try {
                in_flight.make_room();
                in_flight.launch([&] {
                    return transport.send(data.data() + message.offset(), *message, peer,
                                          stream_tag(transport, how.messages, message.index()));
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

}  // namespace lapwing

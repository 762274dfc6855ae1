#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lapwing/pipeline/stream.hpp"
#include "lapwing/pipeline/window/message_window.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// The five schedules of Iancu and Strohmaier (2007, figure 6), for the rank that receives and
/// consumes; `feed` with a window of `outstanding(schedule, burst)` is their other side. They are
/// here to be compared with: `stream` is what a program uses.
enum class TemplateSchedule {
    A,  ///< blocking: each message received, then consumed
    B,  ///< all messages of a burst received, then all consumed: communication overlaps itself
    C,  ///< a burst initiated, then each message awaited and consumed (tight dependence)
    D,  ///< a burst initiated, the burst before it consumed, then all awaited (loose dependence)
    E,  ///< C, software-pipelined: burst k + 1 is initiated before burst k is consumed
};

/// Messages a schedule keeps in flight.
[[nodiscard]] constexpr int outstanding(TemplateSchedule schedule, int burst) {
    return schedule == TemplateSchedule::A   ? 1
           : schedule == TemplateSchedule::E ? 2 * burst
                                             : burst;
}

/// Receives the messages of `order`, which says what there is as it does for `Arrivals`, in bursts
/// of `burst`, and calls `consume(piece)` for each in order.
template <class Order, Transport T, class Consume>
void run_schedule(TemplateSchedule schedule, T& transport, Order order, int burst,
                  Consume&& consume) {
    using Place = typename Order::Place;
    using Request = typename T::Request;
    MessageWindow<Request, Place> in_flight(outstanding(schedule, burst), 0);
    std::vector<Place> arrived;
    const auto initiate = [&] {
        const int most = schedule == TemplateSchedule::A ? 1 : burst;
        int count = 0;
        for (; count < most && !order.done(); ++count) {
            in_flight.launch([&] {
                const Place place = in_flight.next_attachment() = order.place();
                const int peer = order.peer();
                const int tag = order.tag();
                order.next();
                return transport.receive(place.data, place.bytes, peer, tag);
            });
        }
        return count;
    };
    const auto await = [&](int count) {
        arrived.clear();
        for (; count > 0; --count)
            in_flight.wait_oldest([&](const Place& place, Request&) { arrived.push_back(place); });
    };
    const auto consume_arrived = [&] {
        for (const Place& place : arrived) consume(order.piece(place));
        arrived.clear();
    };
    const auto await_and_consume = [&](int count) {
        for (; count > 0; --count) {
            await(1);
            consume_arrived();
        }
    };

    for (int present = initiate(); present > 0;) {
        int next = 0;
        switch (schedule) {
            case TemplateSchedule::A:
            case TemplateSchedule::C:
                await_and_consume(present);
                next = initiate();
                break;
            case TemplateSchedule::B:
                await(present);
                consume_arrived();
                next = initiate();
                break;
            case TemplateSchedule::D:
                consume_arrived();
                await(present);
                next = initiate();
                break;
            case TemplateSchedule::E:
                next = initiate();
                await_and_consume(present);
                break;
        }
        present = next;
    }
    consume_arrived();
}

/// The same of `data` from rank `peer`, in messages of `size` bytes; `consume(offset, bytes)`.
template <Transport T, class Consume>
void run_schedule(TemplateSchedule schedule, T& transport, int peer, std::span<std::byte> data,
                  std::uint64_t size, int burst, Consume&& consume) {
    const Source source{transport, peer, data};
    run_schedule(schedule, transport,
                 StreamOrder<std::byte>(source, Messages::uniform(data.size(), size)), burst,
                 [&](const Piece<std::byte>& piece) { consume(piece.first, piece.data.size()); });
}

}  // namespace lapwing

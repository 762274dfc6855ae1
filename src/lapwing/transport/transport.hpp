#pragma once

#include <concepts>
#include <cstddef>

namespace lapwing {

/// A transport: how messages move between ranks.
///
/// - `send` and `receive` initiate a message of so many bytes, and return a request.
/// - A request owns its message: it is movable and not copyable. `test` says whether the message is
///   complete, and lets the transport progress. `wait` returns when it is, and so does the
///   destructor.
/// - A send meets the receive of the same tag; of two with one tag, the first meets the first.
/// - The memory of a message is the transport's from its initiation until it is complete. One-sided
///   transports move only memory that they have handed out: `memory_for` asks any transport for
///   some.
/// - `now` is in seconds.
template <class T>
concept Transport = std::movable<typename T::Request> &&
    requires(T transport, typename T::Request request, void* into, const void* from,
             std::size_t bytes, int peer, int tag) {
    { transport.send(from, bytes, peer, tag) } -> std::same_as<typename T::Request>;
    { transport.receive(into, bytes, peer, tag) } -> std::same_as<typename T::Request>;
    { request.test() } -> std::same_as<bool>;
    request.wait();
    { transport.now() } -> std::same_as<double>;
};

/// A transport without tags, which says `static constexpr bool in_order = true`: the k-th send to a
/// rank meets the k-th receive from the sender.
template <class T>
concept InOrder = T::in_order;

}  // namespace lapwing

#pragma once

#include <concepts>
#include <cstddef>

namespace lapwing {

/// How bytes move between two ranks. `send` and `receive` initiate and return a request, which owns
/// what is under way: it is movable and not copyable, `test` says whether it is complete and lets
/// the transport progress, `wait` returns when it is, and so does its destructor.
/// A send meets the receive of the same tag, two of one tag in the order of their initiation; sizes
/// in bytes; `now` in seconds. Memory that is sent or received is the transport's from the
/// initiation until the request is complete, and not before. One-sided transports move only memory
/// that they have handed out: `memory_for` asks any transport for some.
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

/// Whether a transport has no tags: a send meets the receive that was initiated in the same place
/// of the order. It then says `static constexpr bool in_order = true`.
template <class T>
concept InOrder = T::in_order;

}  // namespace lapwing

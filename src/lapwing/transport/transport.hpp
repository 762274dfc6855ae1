#pragma once

#include <concepts>
#include <cstddef>

namespace lapwing {

/// How bytes move between two ranks. `send` and `receive` initiate and return a request, which owns
/// what is under way: it is movable and not copyable, `test` says whether it is complete and lets
/// the transport progress, `wait` returns when it is, and so does its destructor.
/// A send meets the receive of the same tag; sizes in bytes; `now` in seconds.
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

}  // namespace lapwing

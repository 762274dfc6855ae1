#pragma once

#include <utility>

#include "lapwing/pipeline/window/message_order.hpp"
#include "lapwing/transport/streams.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// Initiates the next message of `order`, which is not done, goes on to the one after it, and
/// returns the request. `destination`: becomes where the message goes. The first message of a
/// stream is held against what the peer sends, where the transport can do that.
template <Transport T, MessageOrder Order>
typename T::Request receive_next(T& transport, Order& order,
                                 typename Order::Destination& destination) {
    destination = order.destination();
    const int peer = order.peer();
    const int tag = order.tag();
    const bool first = order.first();
    order.next();
    if constexpr (ChecksStreams<T>) {
        if (first) return transport.receive_first(destination.data, destination.bytes, peer, tag);
    }
    return transport.receive(destination.data, destination.bytes, peer, tag);
}

}  // namespace lapwing

#pragma once

#include <cstdint>

#include "lapwing/pipeline/window/message_order.hpp"
#include "lapwing/pipeline/window/stream_tag.hpp"
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
    const std::uint64_t index = order.index();
    const int tag = stream_tag(transport, order.messages(), index);
    order.next();
    if constexpr (ChecksStreams<T>) {
        if (index == 0)
            return transport.receive_first(destination.data, destination.bytes, peer, tag);
    }
    return transport.receive(destination.data, destination.bytes, peer, tag);
}

}  // namespace lapwing

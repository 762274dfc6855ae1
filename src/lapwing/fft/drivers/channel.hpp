#pragma once

#include <concepts>
#include <cstddef>

#include "lapwing/fft/distribution/route.hpp"

namespace lapwing::fft {

/// What the drivers need of a channel that sends messages. For each array of a transpose:
///
///     open(route, me)      others may fill this rank's buffer from now on
///     await_open()         returns when this rank may send
///     expect(stage, n)     before this rank sends more: allows what others send in earlier stages,
///                          and in this one of their first n planes
///     send(…, peer, i)     message i to a member of the route's group
///     progress()           polls what arrives
///     await(stage)         returns when all that others sent up to this stage is in the buffer
///     close()              after the last stage
template <class Channel>
concept MessageChannel = requires(Channel channel, const Route& route, int member,
                                  std::size_t number) {
    channel.buffer();
    channel.open(route, member);
    channel.await_open();
    channel.expect(number, number);
    {
        channel.send(route, channel.buffer(), member, member, number)
        } -> std::same_as<typename Channel::Request>;
    channel.progress();
    channel.await(number);
    channel.close();
};

/// What the drivers need of a channel of all-to-alls in the route's group:
///
///     start(route, me, first, n, data)    non-blocking, of n packed planes of each member
///     exchange(route, me, data)           blocking, of all planes, packed
///     exchange_by_type(route, me, data)   blocking, of all planes as they are computed
template <class Channel>
concept CollectiveChannel = requires(Channel channel, const Route& route, int member,
                                     std::size_t number) {
    {
        channel.start(route, member, number, number, channel.buffer())
        } -> std::same_as<typename Channel::Request>;
    channel.exchange(route, member, channel.buffer());
    channel.exchange_by_type(route, member, channel.buffer());
};

}  // namespace lapwing::fft

#pragma once

#include <algorithm>
#include <cstddef>

#include "lapwing/fft/options.hpp"
#include "lapwing/fft/phases.hpp"
#include "lapwing/fft/turn.hpp"
#include "lapwing/pipeline/flight.hpp"

namespace lapwing::fft {

/// How planes are packed: so many at a time, so many elements between two of them.
struct Block {
    std::size_t planes = 1;
    std::size_t padding = 0;
};

/// What the options ask for, as far as it can be done within a buffer of `capacity` elements.
template <class Turn>
[[nodiscard]] Block block_of(const Options& options, const Turn& turn, std::size_t capacity,
                             bool in_place) {
    const std::size_t all = std::max(turn.planes(), std::size_t{1});
    if (options.packing != Packing::blocked || in_place) return {all, 0};
    const std::size_t planes = std::min(options.block, all);
    return {planes, std::min(options.padding, capacity / planes - turn.plane_length())};
}

/// Transforms all planes from `in`, in the buffer, and packs them at `out`: the parts that one rank
/// gets behind those of the rank before.
template <class Turn, class Recorder>
void transform_and_pack(Turn& turn, const Block& block, typename Turn::Source in,
                        typename Turn::Place buffer, typename Turn::Place out, Recorder& recorder) {
    const std::size_t planes = turn.planes();
    for (std::size_t first = 0; first < planes; first += block.planes) {
        const std::size_t end = std::min(first + block.planes, planes);
        // Planes of a block take the place of those of the block before.
        const auto place = [&](std::size_t plane) {
            return buffer + (plane - first) * (turn.plane_length() + block.padding);
        };
        for (std::size_t plane = first; plane < end; ++plane) {
            const InPhase phase(recorder, Phase::computation);
            turn.before(plane, in, place(plane));
            transform_pieces(turn, plane, place(plane));
        }
        const InPhase phase(recorder, Phase::packing);
        const std::size_t written = (end - first) * turn.plane_length();
        for (int rank = 0; rank < turn.route().ranks(); ++rank)
            for (std::size_t plane = first; plane < end; ++plane)
                turn.pack(place(plane) + turn.part_begin(rank),
                          out + planes * turn.part_begin(rank) + plane * turn.part_length(rank),
                          turn.part_length(rank), written);
    }
}

/// The blocking way: all planes, then one message to each rank, then one waits.
template <class Turn, class Channel, class Recorder>
void exchange(Turn& turn, Channel& channel, const Block& block, typename Turn::Source in,
              typename Turn::Place out, Recorder& recorder) {
    const Route& route = turn.route();
    const int me = turn.member();
    const int ranks = route.ranks();
    transform_and_pack(turn, block, in, turn.array(channel.buffer()), out, recorder);
    const auto packed = [&](int rank) { return out + turn.planes() * turn.part_begin(rank); };
    {
        const InPhase phase(recorder, Phase::waiting);
        channel.open(route, me);
        channel.await_open();
        channel.expect(route.stages(), 0);
    }
    Flight<typename Channel::Request, NoLoad, Recorder> flight(ranks, 0, recorder);
    for (int distance = 1; distance < ranks; ++distance) {
        const int peer = (me + distance) % ranks;
        if (route.messages(me, peer) > 0)
            flight.launch([&] { return channel.send(route, packed(peer), me, peer, 0); });
    }
    {
        const InPhase phase(recorder, Phase::packing);
        turn.copy(packed(me), channel.buffer() + route.place(me, me, 0),
                  turn.planes() * turn.part_length(me));
    }
    flight.drain();
    const InPhase phase(recorder, Phase::waiting);
    channel.await(0);
    channel.close();
}

/// The same with one blocking all-to-all.
template <class Turn, class Channel, class Recorder>
void exchange_all(Turn& turn, Channel& channel, const Block& block, typename Turn::Source in,
                  typename Turn::Place out, Recorder& recorder) {
    transform_and_pack(turn, block, in, turn.array(channel.buffer()), out, recorder);
    const InPhase phase(recorder, Phase::waiting);
    channel.exchange(turn.route(), turn.member(), out);
}

/// The same with nothing packed by hand: planes are transformed at `out`, and a derived type says
/// which parts of them one rank gets.
template <class Turn, class Channel, class Recorder>
void exchange_by_type(Turn& turn, Channel& channel, typename Turn::Source in,
                      typename Turn::Place out, Recorder& recorder) {
    for (std::size_t plane = 0; plane < turn.planes(); ++plane) {
        const InPhase phase(recorder, Phase::computation);
        const auto to = out + plane * turn.plane_length();
        turn.before(plane, in, to);
        transform_pieces(turn, plane, to);
    }
    const InPhase phase(recorder, Phase::waiting);
    channel.exchange_by_type(turn.route(), turn.member(), out);
}

}  // namespace lapwing::fft

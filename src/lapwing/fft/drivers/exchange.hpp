#pragma once

#include <algorithm>
#include <cstddef>

#include "lapwing/fft/drivers/channel.hpp"
#include "lapwing/fft/options.hpp"
#include "lapwing/fft/phases.hpp"
#include "lapwing/fft/transpose/transpose.hpp"
#include "lapwing/pipeline/window/message_window.hpp"

namespace lapwing::fft {

/// How planes are packed: `planes` at a time, with `padding` elements between two of them.
struct PackingBlock {
    std::size_t planes = 1;
    std::size_t padding = 0;
};

/// The block that the options ask for, as far as it fits a buffer of `capacity` elements.
template <class Transpose>
[[nodiscard]] PackingBlock block_of(const Options& options, const Transpose& transpose,
                                    std::size_t capacity, bool in_place) {
    const std::size_t all = std::max(transpose.planes(), std::size_t{1});
    if (options.packing != Packing::blocked || in_place) return {all, 0};
    const std::size_t planes = std::min(options.block, all);
    return {planes, std::min(options.padding, capacity / planes - transpose.plane_length())};
}

/// Transforms all planes from `in` in the buffer, and packs them at `out`: all parts for one rank
/// are contiguous, in the order of the ranks.
template <class Transpose, class Recorder>
void transform_and_pack(Transpose& transpose, const PackingBlock& block,
                        typename Transpose::Source in, typename Transpose::Place buffer,
                        typename Transpose::Place out, Recorder& recorder) {
    const std::size_t planes = transpose.planes();
    for (std::size_t first = 0; first < planes; first += block.planes) {
        const std::size_t end = std::min(first + block.planes, planes);
        // A block overwrites the block before it.
        const auto place = [&](std::size_t plane) {
            return buffer + (plane - first) * (transpose.plane_length() + block.padding);
        };
        for (std::size_t plane = first; plane < end; ++plane) {
            const InPhase phase(recorder, Phase::computation);
            transpose.before(plane, in, place(plane));
            transform_pieces(transpose, plane, place(plane));
        }
        const InPhase phase(recorder, Phase::packing);
        const std::size_t written = (end - first) * transpose.plane_length();
        for (int rank = 0; rank < transpose.route().ranks(); ++rank)
            for (std::size_t plane = first; plane < end; ++plane)
                transpose.pack(
                    place(plane) + transpose.part_begin(rank),
                    out + planes * transpose.part_begin(rank) + plane * transpose.part_length(rank),
                    transpose.part_length(rank), written);
    }
}

/// The blocking exchange: transforms and packs all planes, sends one message to each rank, and
/// waits for theirs.
template <class Transpose, MessageChannel Channel, class Recorder>
void exchange(Transpose& transpose, Channel& channel, const PackingBlock& block,
              typename Transpose::Source in, typename Transpose::Place out, Recorder& recorder) {
    const Route& route = transpose.route();
    const int me = transpose.member();
    const int ranks = route.ranks();
    transform_and_pack(transpose, block, in, transpose.array(channel.buffer()), out, recorder);
    const auto packed = [&](int rank) {
        return out + transpose.planes() * transpose.part_begin(rank);
    };
    {
        const InPhase phase(recorder, Phase::waiting);
        channel.open(route, me);
        channel.await_open();
        channel.expect(route.stages(), 0);
    }
    MessageWindow<typename Channel::Request, NoAttachment, Recorder> flight(ranks, 0, recorder);
    for (int distance = 1; distance < ranks; ++distance) {
        const int peer = (me + distance) % ranks;
        if (route.messages(me, peer) > 0)
            flight.launch([&] { return channel.send(route, packed(peer), me, peer, 0); });
    }
    {
        const InPhase phase(recorder, Phase::packing);
        transpose.copy(packed(me), channel.buffer() + route.place(me, me, 0),
                       transpose.planes() * transpose.part_length(me));
    }
    flight.drain();
    const InPhase phase(recorder, Phase::waiting);
    channel.await(0);
    channel.close();
}

/// The blocking exchange by one all-to-all.
template <class Transpose, CollectiveChannel Channel, class Recorder>
void exchange_all(Transpose& transpose, Channel& channel, const PackingBlock& block,
                  typename Transpose::Source in, typename Transpose::Place out,
                  Recorder& recorder) {
    transform_and_pack(transpose, block, in, transpose.array(channel.buffer()), out, recorder);
    const InPhase phase(recorder, Phase::waiting);
    channel.exchange(transpose.route(), transpose.member(), out);
}

/// The blocking exchange by one all-to-all of derived types: planes are transformed at `out`, and
/// MPI collects the parts for each rank.
template <class Transpose, CollectiveChannel Channel, class Recorder>
void exchange_by_type(Transpose& transpose, Channel& channel, typename Transpose::Source in,
                      typename Transpose::Place out, Recorder& recorder) {
    for (std::size_t plane = 0; plane < transpose.planes(); ++plane) {
        const InPhase phase(recorder, Phase::computation);
        const auto to = out + plane * transpose.plane_length();
        transpose.before(plane, in, to);
        transform_pieces(transpose, plane, to);
    }
    const InPhase phase(recorder, Phase::waiting);
    channel.exchange_by_type(transpose.route(), transpose.member(), out);
}

}  // namespace lapwing::fft

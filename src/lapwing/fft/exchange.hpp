#pragma once

#include <complex>
#include <cstddef>

#include "lapwing/fft/all_to_all_channel.hpp"
#include "lapwing/fft/half.hpp"
#include "lapwing/fft/phases.hpp"
#include "lapwing/pipeline/flight.hpp"

namespace lapwing::fft {

/// Transforms all planes from `in`, in the buffer, and packs them at `out`: the rows that one rank
/// gets behind those of the rank before.
template <class Real, class Recorder>
void transform_and_pack(Half<Real>& half, const std::complex<Real>* in, std::complex<Real>* buffer,
                        std::complex<Real>* out, Recorder& recorder) {
    const Blocks& b = half.route().b();
    for (std::size_t plane = 0; plane < half.planes(); ++plane) {
        const InPhase phase(recorder, Phase::computation);
        half.columns(plane, in, buffer);
        half.rows(plane, 0, b.length(), buffer);
    }
    const InPhase phase(recorder, Phase::packing);
    for (int rank = 0; rank < b.ranks(); ++rank)
        for (std::size_t plane = 0; plane < half.planes(); ++plane) {
            half.copy(half.row(buffer, plane, b.first(rank)), out, b.count(rank));
            out += b.count(rank) * half.row_length();
        }
}

/// The blocking way: all planes, then one message to each rank, then one waits.
template <class Real, class Channel, class Recorder>
void exchange(Half<Real>& half, Channel& channel, const std::complex<Real>* in,
              std::complex<Real>* out, Recorder& recorder) {
    using Complex = std::complex<Real>;
    const Route& route = half.route();
    const int me = half.rank();
    const int ranks = route.b().ranks();
    transform_and_pack(half, in, reinterpret_cast<Complex*>(channel.buffer()), out, recorder);
    const auto packed = [&](int rank) {
        return out + half.planes() * route.b().first(rank) * half.row_length();
    };
    {
        const InPhase phase(recorder, Phase::waiting);
        channel.open(route);
        channel.await_open();
    }
    Flight<typename Channel::Request, NoLoad, Recorder> flight(ranks, 0, recorder);
    for (int distance = 1; distance < ranks; ++distance) {
        const int peer = (me + distance) % ranks;
        if (route.messages(me, peer) > 0)
            flight.launch([&] { return channel.send(route, packed(peer), peer, 0); });
    }
    {
        const InPhase phase(recorder, Phase::packing);
        half.copy(packed(me), channel.buffer() + route.place(me, me, 0),
                  half.planes() * half.arrived());
    }
    flight.drain();
    const InPhase phase(recorder, Phase::waiting);
    channel.close();
}

/// The same with one blocking all-to-all.
template <class Real, class Recorder>
void exchange(Half<Real>& half, AllToAllChannel& channel, const std::complex<Real>* in,
              std::complex<Real>* out, Recorder& recorder) {
    using Complex = std::complex<Real>;
    transform_and_pack(half, in, reinterpret_cast<Complex*>(channel.buffer()), out, recorder);
    const InPhase phase(recorder, Phase::waiting);
    channel.exchange(half.route(), out);
}

}  // namespace lapwing::fft

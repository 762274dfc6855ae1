#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <limits>
#include <stdexcept>

#include "lapwing/fft/half.hpp"
#include "lapwing/fft/phases.hpp"
#include "lapwing/pipeline/flight.hpp"

namespace lapwing::fft {

/// Slabs and pencils: what other ranks get of a plane is sent while the rest of it, and the planes
/// behind it, are transformed. Slabs send the rows for one rank as one message, pencils each row.
/// Ranks begin with the one behind them, so that not all send to the same one at once.
/// `window`: messages in flight, 0 for all.
template <class Real, class Channel, class Recorder>
void overlapped(Half<Real>& half, Channel& channel, const std::complex<Real>* in,
                std::complex<Real>* out, int window, Recorder& recorder) {
    const Route& route = half.route();
    const int me = half.rank();
    const int ranks = route.b().ranks();
    const bool pencils = route.schedule() == Schedule::pencils;
    if (window == 0) {
        std::size_t messages = 1;
        for (int rank = 0; rank < ranks; ++rank)
            if (rank != me) messages += route.messages(me, rank);
        constexpr std::size_t most = std::numeric_limits<int>::max();
        window = static_cast<int>(std::min(messages, most));
    }

    channel.open(route);
    Flight<typename Channel::Request, NoLoad, Recorder> flight(window, 0, recorder);
    for (std::size_t plane = 0; plane < half.planes(); ++plane) {
        {
            const InPhase phase(recorder, Phase::computation);
            half.columns(plane, in, out);
        }
        if (plane == 0) {
            const InPhase phase(recorder, Phase::waiting);
            channel.await_open();
        }
        for (int distance = 1; distance <= ranks; ++distance) {
            const int peer = (me + distance) % ranks;
            const std::size_t first = route.b().first(peer);
            const std::size_t count = route.b().count(peer);
            // How many rows go together, and the number of such messages before this plane.
            const std::size_t together = pencils ? 1 : count;
            const std::size_t before = pencils ? plane * count : plane;
            for (std::size_t done = 0; done < count; done += together) {
                const auto* const rows = half.row(out, plane, first + done);
                {
                    const InPhase phase(recorder, Phase::computation);
                    half.rows(plane, first + done, together, out);
                }
                const std::size_t index = before + done / together;
                if (peer == me) {
                    const InPhase phase(recorder, Phase::packing);
                    half.copy(rows, channel.buffer() + route.place(me, me, index), together);
                } else {
                    flight.make_room();
                    flight.launch([&] { return channel.send(route, rows, peer, index); });
                }
            }
        }
        flight.progress();
    }
    flight.drain();
    const InPhase phase(recorder, Phase::waiting);
    channel.close();
}

}  // namespace lapwing::fft

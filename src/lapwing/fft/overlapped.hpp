#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <limits>
#include <stdexcept>

#include "lapwing/fft/phases.hpp"
#include "lapwing/fft/turn.hpp"
#include "lapwing/pipeline/flight.hpp"

namespace lapwing::fft {

/// Slabs and pencils: what other ranks get of a plane is sent while the rest of it, and the planes
/// behind it, are transformed. Slabs send the part for one rank as one message, pencils each row.
/// Ranks begin with the one behind them, so that not all send to the same one at once. One array on
/// its way; others may be on theirs over other channels.
template <class Real, class Channel, class Recorder>
class Overlapped {
  public:
    using Complex = std::complex<Real>;

    /// Transforms all planes and sends what there is of them. `window`: messages in flight, 0 for
    /// all.
    Overlapped(Turn<Real>& turn, Channel& channel, const Complex* in, Complex* out, int window,
               Recorder& recorder)
        : channel_(channel), recorder_(recorder), flight_(room(turn, window), 0, recorder) {
        channel.open(turn.route(), turn.member());
        for (std::size_t plane = 0; plane < turn.planes(); ++plane) {
            Complex* const to = out + plane * turn.plane_length();
            {
                const InPhase phase(recorder, Phase::computation);
                turn.before(plane, in, to);
            }
            if (plane == 0) {
                const InPhase phase(recorder, Phase::waiting);
                channel.await_open();
            }
            for (int distance = 1; distance <= turn.route().ranks(); ++distance)
                send_part(turn, plane, (turn.member() + distance) % turn.route().ranks(), to);
            flight_.progress();
        }
    }
    Overlapped(const Overlapped&) = delete;
    Overlapped& operator=(const Overlapped&) = delete;
    ~Overlapped() = default;

    /// Returns when all that is sent to this rank has arrived, and all that it sent can be used
    /// again.
    void finish() {
        flight_.drain();
        const InPhase phase(recorder_, Phase::waiting);
        channel_.close();
    }

  private:
    static int room(const Turn<Real>& turn, int window) {
        if (window > 0) return window;
        std::size_t messages = 1;
        for (int rank = 0; rank < turn.route().ranks(); ++rank)
            if (rank != turn.member()) messages += turn.route().messages(turn.member(), rank);
        constexpr std::size_t most = std::numeric_limits<int>::max();
        return static_cast<int>(std::min(messages, most));
    }
    void send_part(Turn<Real>& turn, std::size_t plane, int peer, Complex* to) {
        const Route& route = turn.route();
        const int me = turn.member();
        const std::size_t pieces = route.pieces(me, peer);
        for (std::size_t i = 0; i < pieces; ++i) {
            {
                const InPhase phase(recorder_, Phase::computation);
                turn.piece(peer, i, to);
            }
            const std::size_t length = turn.part_length(peer) / pieces;
            const auto* const data = to + turn.part_begin(peer) + i * length;
            const std::size_t index = plane * pieces + i;
            if (peer == me) {
                const InPhase phase(recorder_, Phase::packing);
                turn.copy(data, channel_.buffer() + route.place(me, me, index), length);
            } else {
                flight_.make_room();
                flight_.launch([&] { return channel_.send(route, data, me, peer, index); });
            }
        }
    }

    Channel& channel_;
    Recorder& recorder_;
    Flight<typename Channel::Request, NoLoad, Recorder> flight_;
};

}  // namespace lapwing::fft

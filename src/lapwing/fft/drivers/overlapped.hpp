#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "lapwing/compute/charge.hpp"
#include "lapwing/fft/drivers/channel.hpp"
#include "lapwing/fft/options.hpp"
#include "lapwing/fft/phases.hpp"
#include "lapwing/fft/transpose/transpose.hpp"
#include "lapwing/pipeline/window/message_window.hpp"
#include "lapwing/pipeline/window/poll.hpp"

namespace lapwing::fft {

/// Slabs, pencils, strips and tails: a rank sends the parts of a plane while it transforms the rest
/// of it and the planes behind it. Slabs send the part for one rank as one message, pencils each
/// row of it, strips and tails several rows. A rank sends to its next neighbour first, so that not
/// all ranks send to the same one at once. One object is one array in flight; others may be in
/// flight over other channels.
///
/// Strips and tails go in stages, see `Route`. While the messages of one stage travel, it
/// transforms the lines that the stage before has completed. Only during those of the last stage is
/// nothing in flight.
template <class Transpose, MessageChannel Channel, class Recorder>
class Overlapped {
  public:
    using Source = typename Transpose::Source;
    using Place = typename Transpose::Place;

    /// Transforms all planes, sends all parts, and transforms what arrives in all stages but the
    /// last.
    Overlapped(Transpose& transpose, Channel& channel, Source in, Place out, const Options& options,
               Recorder& recorder)
        : transpose_(transpose),
          channel_(channel),
          out_(out),
          recorder_(recorder),
          window_(room(transpose, options), 0, recorder),
          poller_(
              simulated_time ? 0 : options.poll_interval,
              [](void* self) { static_cast<Overlapped*>(self)->progress(); }, this) {
        channel.open(transpose.route(), transpose.member());
        for (std::size_t stage = 0; stage < stages(); ++stage) {
            send_stage(stage, in);
            launched_.push_back(launched());
            if (stage > 0) take_stage(stage - 1);
        }
    }
    Overlapped(const Overlapped&) = delete;
    Overlapped& operator=(const Overlapped&) = delete;
    ~Overlapped() = default;

    /// Transforms what arrives in the last stage. Afterwards the memory that this rank sent from
    /// may be written again.
    void finish() {
        take_stage(stages() - 1);
        channel_.close();
    }

  private:
    [[nodiscard]] std::size_t stages() const { return transpose_.route().stages(); }
    [[nodiscard]] std::size_t launched() const { return completed_ + window_.under_way(); }
    static int room(const Transpose& transpose, const Options& options) {
        std::size_t messages = 1;
        for (int rank = 0; rank < transpose.route().ranks(); ++rank)
            if (rank != transpose.member())
                messages += transpose.route().messages(transpose.member(), rank);
        constexpr std::size_t most = std::numeric_limits<int>::max();
        return static_cast<int>(
            std::min({messages, most, window_of(options, transpose.route().ranks())}));
    }
    void send_stage(std::size_t stage, Source in) {
        const int ranks = transpose_.route().ranks();
        for (std::size_t plane = 0; plane < transpose_.planes(); ++plane) {
            const Place to = out_ + plane * transpose_.plane_length();
            if (stage == 0) {
                const InPhase phase(recorder_, Phase::computation);
                transpose_.before(plane, in, to);
            }
            if (stage == 0 && plane == 0) {
                const InPhase phase(recorder_, Phase::waiting);
                channel_.await_open();
            }
            channel_.expect(stage, plane + 1);
            for (int distance = 1; distance <= ranks; ++distance)
                send_part(stage, plane, (transpose_.member() + distance) % ranks, to);
            progress();
        }
        // A rank without planes does so here: the others wait for it, as it waits for them.
        if (stage == 0) channel_.await_open();
        channel_.expect(stage + 1, 0);
    }
    /// Transforms and sends what goes to `peer` in this stage of a plane.
    void send_part(std::size_t stage, std::size_t plane, int peer, Place to) {
        const Route& route = transpose_.route();
        const int me = transpose_.member();
        const std::size_t pieces = route.pieces(me, peer);
        for (std::size_t piece = 0; piece < pieces; ++piece) {
            const std::size_t index = plane * pieces + piece;
            const std::size_t bytes = route.bytes(me, peer, index);
            if (bytes == 0 || route.stage(me, index) != stage) continue;
            {
                const InPhase phase(recorder_, Phase::computation);
                transpose_.piece(peer, plane, piece, to);
            }
            const auto data =
                to + transpose_.part_begin(peer) + transpose_.piece_begin(peer, plane, piece);
            if (peer == me) {
                const InPhase phase(recorder_, Phase::packing);
                transpose_.copy(data, channel_.buffer() + route.place(me, me, index),
                                bytes / transpose_.element());
            } else {
                if (window_.full()) complete_oldest();
                window_.launch([&] { return channel_.send(route, data, me, peer, index); });
            }
        }
    }
    /// Waits until all messages of a stage have left and arrived, and transforms the lines that are
    /// complete.
    void take_stage(std::size_t stage) {
        while (completed_ < launched_[stage]) complete_oldest();
        {
            const InPhase phase(recorder_, Phase::waiting);
            channel_.await(stage);
        }
        const Route& route = transpose_.route();
        const bool strips = stages() > 1;
        const int me = transpose_.member();
        const InPhase phase(recorder_, Phase::computation);
        transpose_.after(transpose_.array(channel_.buffer()), out_,
                         strips ? route.strip_begin(me, stage) : 0,
                         strips ? route.strip_begin(me, stage + 1) : transpose_.planes_after());
    }
    void complete_oldest() {
        window_.wait_oldest();
        ++completed_;
    }
    /// Polls all that is in flight. In simulated time messages need no polls.
    void progress() {
        if constexpr (simulated_time) return;
        window_.progress();
        channel_.progress();
    }

    Transpose& transpose_;
    Channel& channel_;
    Place out_;
    Recorder& recorder_;
    MessageWindow<typename Channel::Request, NoAttachment, Recorder> window_;
    std::size_t completed_ = 0;          ///< messages sent and completed
    std::vector<std::size_t> launched_;  ///< messages by the end of each stage
    Poller poller_;
};

}  // namespace lapwing::fft

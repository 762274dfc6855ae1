#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <type_traits>

#include "lapwing/fft/exchange.hpp"
#include "lapwing/fft/options.hpp"
#include "lapwing/fft/overlapped.hpp"
#include "lapwing/fft/phases.hpp"
#include "lapwing/fft/tiled.hpp"

namespace lapwing::fft {

// One turn of a batch of arrays, as the options ask for. What computes and what brings bytes to
// other ranks are the caller's: transforms are played with both, forecasts write down what they do.

/// Arrays that are on their way at once: while one is sent, the next is transformed.
[[nodiscard]] constexpr std::size_t lanes(const Options& options) {
    return overlaps(options.schedule) && options.batch > 1 ? 2 : 1;
}

/// One array, of which nothing is done with what arrives before all of it has.
template <class Turn, class Channel, class Recorder>
void send_whole(Turn& turn, Channel& channel, typename Turn::Source in, typename Turn::Place out,
                std::size_t capacity, const Options& options, Recorder& recorder) {
    const Block block = block_of(options, turn, capacity, in == out);
    if constexpr (Channel::all_to_all) {
        if (options.packing == Packing::derived) {
            exchange_by_type(turn, channel, in, out, recorder);
        } else if (options.schedule == Schedule::tiled) {
            tiled(turn, channel, in, out, options, recorder);
        } else {
            exchange_all(turn, channel, block, in, out, recorder);
        }
    } else {
        exchange(turn, channel, block, in, out, recorder);
    }
}

/// One array after another, each of which begins before the one before it has ended.
template <class Turn, class Lane, class Recorder>
void overlap(Turn& turn, Lane&& lane, typename Turn::Source in, typename Turn::Place out,
             std::size_t capacity, const Options& options, Recorder& recorder) {
    using Channel = std::remove_reference_t<decltype(lane(0))>;
    std::array<std::optional<Overlapped<Turn, Channel, Recorder>>, 2> under_way;
    for (std::size_t array = 0; array <= options.batch; ++array) {
        if (array < options.batch) {
            const std::size_t at = array * capacity;
            under_way[array % 2].emplace(turn, lane(array % lanes(options)), in + at, out + at,
                                         options, recorder);
        }
        if (array == 0) continue;
        const std::size_t last = array - 1;
        under_way[last % 2]->finish();
        under_way[last % 2].reset();
    }
}

/// Takes the arrays at `in`, `capacity` elements from one to the next, to `out`. `lane(i)`: the
/// channel over which array i goes, of `lanes(options)`.
template <class Turn, class Lane, class Recorder>
void play(Turn& turn, Lane&& lane, typename Turn::Source in, typename Turn::Place out,
          std::size_t capacity, const Options& options, Recorder& recorder) {
    auto& channel = lane(0);
    if constexpr (!std::remove_reference_t<decltype(channel)>::all_to_all)
        if (overlaps(options.schedule))
            return overlap(turn, lane, in, out, capacity, options, recorder);
    for (std::size_t array = 0; array < options.batch; ++array) {
        const std::size_t at = array * capacity;
        send_whole(turn, channel, in + at, out + at, capacity, options, recorder);
        const InPhase phase(recorder, Phase::computation);
        turn.after(turn.array(channel.buffer()), out + at, 0, turn.planes_after());
    }
}

}  // namespace lapwing::fft

#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <type_traits>

#include "lapwing/fft/drivers/exchange.hpp"
#include "lapwing/fft/drivers/overlapped.hpp"
#include "lapwing/fft/drivers/tiled.hpp"
#include "lapwing/fft/options.hpp"
#include "lapwing/fft/phases.hpp"

namespace lapwing::fft {

// One turn of a batch of arrays, as the options ask for. What computes and what brings bytes to
// other ranks are the caller's: transforms are played with both, forecasts write down what they do.

/// Arrays that are on their way at once: while one is sent, the next is transformed.
[[nodiscard]] constexpr std::size_t arrays_in_flight(const Options& options) {
    return overlaps(options.schedule) && options.batch > 1 ? 2 : 1;
}

/// One array, of which nothing is done with what arrives before all of it has.
template <class Transpose, class Channel, class Recorder>
void run_whole(Transpose& transpose, Channel& channel, typename Transpose::Source in,
               typename Transpose::Place out, std::size_t capacity, const Options& options,
               Recorder& recorder) {
    const PackingBlock block = block_of(options, transpose, capacity, in == out);
    if constexpr (Channel::all_to_all) {
        if (options.packing == Packing::derived) {
            exchange_by_type(transpose, channel, in, out, recorder);
        } else if (options.schedule == Schedule::tiled) {
            tiled(transpose, channel, in, out, options, recorder);
        } else {
            exchange_all(transpose, channel, block, in, out, recorder);
        }
    } else {
        exchange(transpose, channel, block, in, out, recorder);
    }
}

/// One array after another, each of which begins before the one before it has ended.
template <class Transpose, class ChannelOf, class Recorder>
void run_overlapped(Transpose& transpose, ChannelOf&& channel_of, typename Transpose::Source in,
                    typename Transpose::Place out, std::size_t capacity, const Options& options,
                    Recorder& recorder) {
    using Channel = std::remove_reference_t<decltype(channel_of(0))>;
    std::array<std::optional<Overlapped<Transpose, Channel, Recorder>>, 2> under_way;
    for (std::size_t array = 0; array <= options.batch; ++array) {
        if (array < options.batch) {
            const std::size_t at = array * capacity;
            under_way[array % 2].emplace(transpose, channel_of(array % arrays_in_flight(options)),
                                         in + at, out + at, options, recorder);
        }
        if (array == 0) continue;
        const std::size_t last = array - 1;
        under_way[last % 2]->finish();
        under_way[last % 2].reset();
    }
}

/// Takes the arrays at `in`, `capacity` elements from one to the next, to `out`. `lane(i)`: the
/// channel over which array i goes, of `arrays_in_flight(options)`.
template <class Transpose, class ChannelOf, class Recorder>
void run_batch(Transpose& transpose, ChannelOf&& channel_of, typename Transpose::Source in,
               typename Transpose::Place out, std::size_t capacity, const Options& options,
               Recorder& recorder) {
    auto& channel = channel_of(0);
    if constexpr (!std::remove_reference_t<decltype(channel)>::all_to_all)
        if (overlaps(options.schedule))
            return run_overlapped(transpose, channel_of, in, out, capacity, options, recorder);
    for (std::size_t array = 0; array < options.batch; ++array) {
        const std::size_t at = array * capacity;
        run_whole(transpose, channel, in + at, out + at, capacity, options, recorder);
        const InPhase phase(recorder, Phase::computation);
        transpose.after(transpose.array(channel.buffer()), out + at, 0, transpose.planes_after());
    }
}

}  // namespace lapwing::fft

#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <type_traits>

#include "lapwing/fft/drivers/channel.hpp"
#include "lapwing/fft/drivers/exchange.hpp"
#include "lapwing/fft/drivers/overlapped.hpp"
#include "lapwing/fft/drivers/tiled.hpp"
#include "lapwing/fft/options.hpp"
#include "lapwing/fft/phases.hpp"

namespace lapwing::fft {

// The drivers run one transpose of a batch of arrays as the options ask for. They are templates on
// the transpose, which computes, and on the channel, which brings bytes to other ranks. A transform
// runs them on `Transpose` and channels over MPI, a forecast on `RecordedTranspose` and recorded
// channels.

/// The arrays of a batch, of which each begins `capacity` elements behind the one before it.
template <class Transpose>
struct Batch {
    typename Transpose::Source in;  ///< the first array
    typename Transpose::Place out;
    std::size_t capacity = 0;

    [[nodiscard]] Batch from(std::size_t array) const {
        return {in + array * capacity, out + array * capacity, capacity};
    }
};

/// Arrays in flight at once, each over a channel of its own. While one travels, the next is
/// transformed.
[[nodiscard]] constexpr std::size_t arrays_in_flight(const Options& options) {
    return overlaps(options.schedule) && options.batch > 1 ? 2 : 1;
}

/// Runs the first array of the batch by a schedule that uses nothing of it before all has arrived.
template <class Transpose, class Channel, class Recorder>
void run_whole(Transpose& transpose, Channel& channel, const Batch<Transpose>& batch,
               const Options& options, Recorder& recorder) {
    const auto [in, out, capacity] = batch;
    const PackingBlock block = block_of(options, transpose, capacity, in == out);
    if constexpr (CollectiveChannel<Channel>) {
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
    const InPhase phase(recorder, Phase::computation);
    transpose.after(transpose.array(channel.buffer()), out, 0, transpose.planes_after());
}

/// Runs the arrays one after another. Each begins before the one before it has ended.
template <class Transpose, class ChannelOf, class Recorder>
void run_overlapped(Transpose& transpose, ChannelOf&& channel_of, const Batch<Transpose>& batch,
                    const Options& options, Recorder& recorder) {
    using Channel = std::remove_reference_t<decltype(channel_of(0))>;
    std::array<std::optional<Overlapped<Transpose, Channel, Recorder>>, 2> in_flight;
    for (std::size_t array = 0; array <= options.batch; ++array) {
        if (array < options.batch) {
            const Batch<Transpose> rest = batch.from(array);
            in_flight[array % 2].emplace(transpose, channel_of(array % arrays_in_flight(options)),
                                         rest.in, rest.out, options, recorder);
        }
        if (array == 0) continue;
        const std::size_t last = array - 1;
        in_flight[last % 2]->finish();
        in_flight[last % 2].reset();
    }
}

/// Runs one transpose of all arrays of the batch. `channel_of(i)`: the channel of array i, where i
/// is below `arrays_in_flight(options)`.
template <class Transpose, class ChannelOf, class Recorder>
void run_batch(Transpose& transpose, ChannelOf&& channel_of, const Batch<Transpose>& batch,
               const Options& options, Recorder& recorder) {
    auto& channel = channel_of(0);
    if constexpr (MessageChannel<std::remove_reference_t<decltype(channel)>>)
        if (overlaps(options.schedule))
            return run_overlapped(transpose, channel_of, batch, options, recorder);
    for (std::size_t array = 0; array < options.batch; ++array)
        run_whole(transpose, channel, batch.from(array), options, recorder);
}

}  // namespace lapwing::fft

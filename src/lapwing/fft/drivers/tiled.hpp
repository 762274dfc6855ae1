#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "lapwing/compute/charge.hpp"
#include "lapwing/fft/drivers/channel.hpp"
#include "lapwing/fft/options.hpp"
#include "lapwing/fft/phases.hpp"
#include "lapwing/fft/transpose/transpose.hpp"
#include "lapwing/pipeline/pipeline.hpp"
#include "lapwing/plan/plan.hpp"

namespace lapwing::fft {

/// Tiles: sends a few planes at a time by non-blocking all-to-alls, a window of them in flight
/// (Hoefler, Gottschling, Lumsdaine 2008, section 4). Every rank makes as many all-to-alls as the
/// rank with the most planes. A tile of one plane is sent without packing.
template <class Transpose, CollectiveChannel Channel, class Recorder>
void tiled(Transpose& transpose, Channel& channel, typename Transpose::Source in,
           typename Transpose::Place out, const Options& options, Recorder& recorder) {
    struct Tile {
        typename Transpose::Room packed;
        std::size_t first = 0;   ///< number of its first plane
        std::size_t planes = 0;  ///< planes added so far
        void clear() { planes = 0; }
    };
    const Route& route = transpose.route();
    const std::size_t tile = options.tile;
    const std::size_t steps = route.most_planes();
    if (steps == 0) return;  // then on all ranks of the group
    Plan plan;
    plan.messages = Messages::uniform(steps, std::min(tile, steps), 1);
    plan.window = static_cast<int>(window_of(options, route.ranks()));
    plan.poll_interval = simulated_time ? 0 : options.poll_interval;

    const auto pack = [&](std::size_t plane, Tile& into) {
        const std::size_t planes = std::min(tile, transpose.planes() - into.first);
        into.packed.resize(planes * transpose.plane_length());
        for (int rank = 0; rank < route.ranks(); ++rank) {
            const std::size_t length = transpose.part_length(rank);
            const std::size_t place =
                planes * transpose.part_begin(rank) + (plane - into.first) * length;
            transpose.copy(out + plane * transpose.plane_length() + transpose.part_begin(rank),
                           into.packed.data() + place, length);
        }
    };
    pipeline<Tile>(
        plan, steps,
        [&](std::uint64_t plane, Tile& into) {
            if (into.planes++ == 0) into.first = plane;
            if (plane >= transpose.planes()) return;
            {
                const InPhase phase(recorder, Phase::computation);
                const auto to = out + plane * transpose.plane_length();
                transpose.before(plane, in, to);
                transform_pieces(transpose, plane, to);
            }
            const InPhase phase(recorder, Phase::packing);
            if (tile > 1) pack(plane, into);
        },
        [&](Tile& full) {
            // A rank that has no planes left sends nothing; the address does not matter.
            const bool any = full.first < transpose.planes();
            const typename Transpose::Source from =
                !any       ? out
                : tile > 1 ? full.packed.data()
                           : out + full.first * transpose.plane_length();
            return channel.start(route, transpose.member(), full.first, tile, from);
        },
        NoConsume{}, recorder);
}

}  // namespace lapwing::fft

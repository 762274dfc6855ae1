#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "lapwing/compute/charge.hpp"
#include "lapwing/fft/options.hpp"
#include "lapwing/fft/phases.hpp"
#include "lapwing/fft/turn.hpp"
#include "lapwing/pipeline/pipeline.hpp"
#include "lapwing/plan/plan.hpp"

namespace lapwing::fft {

/// Tiles of planes, a window of them in non-blocking all-to-alls (Hoefler, Gottschling, Lumsdaine
/// 2008, section 4). All ranks make as many all-to-alls as the one with the most planes.
/// A tile of one plane is not packed.
template <class Turn, class Channel, class Recorder>
void tiled(Turn& turn, Channel& channel, typename Turn::Source in, typename Turn::Place out,
           const Options& options, Recorder& recorder) {
    struct Tile {
        typename Turn::Room packed;
        std::size_t first = 0;   ///< its first plane
        std::size_t planes = 0;  ///< that have been computed
        void clear() { planes = 0; }
    };
    const Route& route = turn.route();
    const std::size_t tile = options.tile;
    const std::size_t steps = route.most_planes();
    if (steps == 0) return;  // on all ranks of the group
    Plan plan;
    plan.messages = Messages::uniform(steps, std::min(tile, steps), 1);
    plan.window = static_cast<int>(window_of(options, route.ranks()));
    plan.poll_interval = simulated_time ? 0 : options.poll_interval;

    const auto pack = [&](std::size_t plane, Tile& into) {
        const std::size_t planes = std::min(tile, turn.planes() - into.first);
        into.packed.resize(planes * turn.plane_length());
        for (int rank = 0; rank < route.ranks(); ++rank) {
            const std::size_t length = turn.part_length(rank);
            const std::size_t place =
                planes * turn.part_begin(rank) + (plane - into.first) * length;
            turn.copy(out + plane * turn.plane_length() + turn.part_begin(rank),
                      into.packed.data() + place, length);
        }
    };
    pipeline<Tile>(
        plan, steps,
        [&](std::uint64_t plane, Tile& into) {
            if (into.planes++ == 0) into.first = plane;
            if (plane >= turn.planes()) return;
            {
                const InPhase phase(recorder, Phase::computation);
                const auto to = out + plane * turn.plane_length();
                turn.before(plane, in, to);
                transform_pieces(turn, plane, to);
            }
            const InPhase phase(recorder, Phase::packing);
            if (tile > 1) pack(plane, into);
        },
        [&](Tile& full) {
            // A rank without planes left sends nothing from nowhere.
            const bool any = full.first < turn.planes();
            const typename Turn::Source from = !any       ? out
                                               : tile > 1 ? full.packed.data()
                                                          : out + full.first * turn.plane_length();
            return channel.start(route, turn.member(), full.first, tile, from);
        },
        NoConsume{}, recorder);
}

}  // namespace lapwing::fft

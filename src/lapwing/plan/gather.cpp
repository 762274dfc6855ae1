#include "lapwing/plan/gather.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "lapwing/plan/costs/progress.hpp"
#include "lapwing/plan/gather_partition.hpp"
#include "lapwing/plan/search_options.hpp"
#include "lapwing/profile/pattern_gap.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing {
namespace {

/// Polls of rank 0 during a piece of work: nothing moves until it has seen that sizes are there.
constexpr double polls_per_piece = 32;

/// What a gather costs the ranks and the wire. Seconds.
struct Costs {
    double latency;   ///< of a message, one way
    double send;      ///< overhead of a sender a gather
    double receive;   ///< overhead of rank 0 for each part that arrives, its size included
    double per_byte;  ///< of the wire into rank 0
    double piece;     ///< work
    double bytes;     ///< of a result
};

/// Seconds per byte into rank 0 while all others send to it.
double root_gap(const Profile& profile, int ranks, double size) {
    return std::max(gap_per_byte(profile, size),
                    pattern_gap(profile, "gather", static_cast<std::uint64_t>(ranks), size));
}

Costs costs_of(const Profile& profile, const GatherWorkload& workload) {
    return {.latency = profile.loggp.L,
            .send = 2 * send_overhead(profile, workload.bytes, 1),
            .receive = receive_overhead(profile, 8) + receive_overhead(profile, workload.bytes),
            .per_byte = root_gap(profile, workload.ranks, workload.bytes),
            .piece = workload.compute,
            .bytes = workload.bytes};
}

/// Tiles of at most `largest` pieces until all pieces are assigned: growing from one if `growing`,
/// shrinking to one at the end if `shrinking`, by factors of two.
std::vector<std::uint64_t> tiles_of(const GatherWorkload& workload, double root_share,
                                    std::uint64_t largest, bool growing, bool shrinking) {
    GatherPartition partition(workload.ranks, root_share);
    std::vector<std::uint64_t> tiles;
    std::uint64_t tile = growing ? 1 : largest;
    const double each = workload.ranks - 1 + root_share;  // pieces a round
    while (partition.assigned() < workload.pieces) {
        const std::uint64_t left = workload.pieces - partition.assigned();
        if (shrinking) {
            // A tile no larger than all that comes behind it.
            const auto rounds = static_cast<std::uint64_t>(static_cast<double>(left) / each);
            while (tile > 1 && 2 * tile > rounds) tile /= 2;
        }
        tiles.push_back(tile);
        partition.advance(tile, partition.available(tile, workload.pieces));
        if (tile < largest) tile = std::min(largest, growing ? 2 * tile : tile);
    }
    return tiles;
}

/// Seconds until all results are at rank 0.
double seconds_of(const Costs& x, const GatherWorkload& workload, double root_share,
                  const std::vector<std::uint64_t>& tiles) {
    GatherPartition partition(workload.ranks, root_share);
    const double others = workload.ranks - 1;
    double worked = 0;  // until here all but rank 0 have worked
    double root = 0;    // and rank 0, what it has to do about messages included
    double wire = 0;
    for (const std::uint64_t tile : tiles) {
        const auto available = partition.available(tile, workload.pieces);
        const auto mine = partition.block_of(tile, available, 0).count;
        const auto last = partition.block_of(tile, available, workload.ranks - 1).count;
        worked += static_cast<double>(last) * x.piece + x.send;
        root += static_cast<double>(mine) * x.piece + others * x.receive;
        // Sizes arrive behind the data in flight. Until rank 0 has asked for what the first of them
        // says, the wire is idle; and so it is where serving a message takes longer than the
        // message.
        const double ready = worked + 3 * x.latency + x.piece / polls_per_piece;
        wire = std::max(wire, ready) + x.receive +
               std::max(others * x.receive,
                        static_cast<double>(available - mine) * x.bytes * x.per_byte);
        partition.advance(tile, available);
    }
    return std::max({worked, root, wire + x.latency});
}

}  // namespace

GatherPlan gather_with(const GatherSettings& settings, int ranks, std::uint64_t pieces) {
    if (ranks < 1) throw std::invalid_argument("a gather needs a rank");
    if (settings.tile < 1 || settings.window < 1)
        throw std::invalid_argument("a gather's tile and window are at least 1");
    const auto each = static_cast<std::uint64_t>(ranks);
    const std::uint64_t tile = settings.tile;
    const std::uint64_t gathers = (pieces + each * tile - 1) / (each * tile);
    GatherPlan gather;
    if (gathers > 0) gather.plan.messages = Messages::uniform(gathers * tile, tile);
    gather.plan.window = settings.window;
    gather.plan.poll_interval = settings.poll_interval;
    return gather;
}

GatherPlan plan_gather(const Profile& profile, const GatherWorkload& workload) {
    validate(profile);
    if (workload.ranks < 1) throw std::invalid_argument("a gather needs a rank");
    if (workload.pieces == 0) throw std::invalid_argument("a gather needs something to gather");
    if (!(workload.compute >= 0) || !(workload.bytes > 0) || !std::isfinite(workload.compute) ||
        !std::isfinite(workload.bytes))
        throw std::invalid_argument("a gather's pieces need a finite time and size");

    const Costs costs = costs_of(profile, workload);
    // A message that does not advance alone needs several calls to arrive.
    const int window = advances_alone(profile.progress) ? 3 : 6;
    const double pieces = static_cast<double>(workload.pieces);
    const double others = workload.ranks - 1;
    const double per_tile = workload.bytes * std::max(1.0, others) * window;
    const auto affordable = static_cast<std::uint64_t>(std::max(1.0, workload.memory / per_tile));

    GatherPlan best;
    best.plan.predicted = -1;
    for (std::uint64_t largest = 1; largest <= affordable; largest *= 2) {
        // Rank 0 has a piece fewer for each that its message overheads would take.
        const double busy = others * costs.receive / static_cast<double>(largest);
        const double relieved = costs.piece > 0 ? std::clamp(1 - busy / costs.piece, 0.0, 1.0) : 1;
        for (const double root_share : {1.0, relieved}) {
            for (int shape = 0; shape < 4; ++shape) {
                const auto tiles = tiles_of(workload, workload.ranks > 1 ? root_share : 1, largest,
                                            shape % 2 == 1, shape / 2 == 1);
                const double seconds = seconds_of(costs, workload, root_share, tiles);
                if (best.plan.predicted >= 0 &&
                    seconds >= best.plan.predicted * (1 - search_options.floating_point_tie))
                    continue;
                best.plan.predicted = seconds;
                best.plan.messages = Messages::of(tiles, 1);
                best.root_share = workload.ranks > 1 ? root_share : 1;
            }
        }
        if (static_cast<double>(largest) * (others + 1) >= pieces) break;
    }
    Plan& plan = best.plan;
    plan.window =
        static_cast<int>(std::min(static_cast<std::uint64_t>(window), plan.messages.count()));
    plan.poll_interval = costs.piece / polls_per_piece;
    plan.poll_reason = "rank 0 takes up what arrives while it computes";
    const double work = std::ceil(pieces / (others + 1)) * costs.piece;
    const double communication = pieces * others / (others + 1) * costs.bytes * costs.per_byte;
    plan.limit = std::max(pieces / (others + 1) * costs.piece, communication);
    plan.blocking = work + communication + 3 * costs.latency + others * costs.receive;
    plan.bound = communication > work ? Bound::bandwidth : Bound::computation;
    return best;
}

}  // namespace lapwing
